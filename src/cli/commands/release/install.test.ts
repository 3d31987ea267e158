import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { config, deployment } from '../../testdata/manifests.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'
import { runCli } from '../../testdata/run-cli.ts'

describe('releases from the command line', () => {
  let cli: CliSandbox
  let counter = 0

  beforeAll(async () => {
    cli = await openCliSandbox()
    cli.write('blue.yaml', config('blue'))
    cli.write('red.yaml', config('red'))
    cli.write('values.yaml', 'image:\n  tag: "1"\n')
    cli.write('broken.yaml', broken)
    cli.write('broken-slow.yaml', broken.replace('crash-loop', 'unready'))
  })

  afterAll(() => cli.close())

  beforeEach(() => {
    counter += 1
    cli.namespace = `n${counter}`
  })

  it('install creates the namespace and the objects, tells progress on stderr and the release on stdout', async () => {
    const { code, stdout, stderr } = await cli.lading('install shop blue.yaml --create-namespace --wait')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^NAME +NAMESPACE +REVISION +STATUS +UPDATED +SOURCE +OUTCOME\nshop +n\d+ +1 +deployed/)
    expect(stderr).toContain(`ConfigMap ${cli.namespace}/settings created`)
  })

  it('install names an object that the source holds twice, once with its namespace and once without', async () => {
    const named = config('red').replace('{name: settings}', `{name: settings, namespace: ${cli.namespace}}`)
    cli.write('twice.yaml', `${config('blue')}\n---\n${named}`)
    const { code, stderr } = await cli.lading('install shop twice.yaml --create-namespace')
    expect(code).toBe(3)
    expect(stderr).toMatch(/^error: .*ConfigMap .*settings/m)
    expect(stderr).toContain('next: Keep one definition of the object.')
  })

  it('install -o json prints one JSON document, and --progress json prints events as JSON lines', async () => {
    const { stdout, stderr } = await cli.lading('install shop blue.yaml --create-namespace --progress json -o json')
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'deployed',
      name: 'shop',
      namespace: cli.namespace,
      revision: 1,
      status: 'deployed',
      changes: { create: 2 },
    })
    const events = lines(stderr).map((line) => JSON.parse(line) as { type: string; action?: string })
    expect(events).toContainEqual(expect.objectContaining({ type: 'object', action: 'created' }))
  })

  it('list, history, get and diff read records in files without a cluster', async () => {
    const storage = '--storage file --storage-path records'
    await cli.lading(`install shop blue.yaml --create-namespace ${storage}`)
    await cli.lading(`upgrade shop red.yaml ${storage}`)
    expect(
      readdirSync(join(cli.cwd, 'records', cli.namespace, 'shop'))
        .sort()
        .slice(-2),
    ).toEqual(['v1.yaml', 'v2.yaml'])
    const nowhere = { cwd: cli.cwd, env: { HOME: join(cli.cwd, 'nobody') } }
    const offline = (command: string) => runCli(nowhere, ...`${command} ${storage}`.split(' '))
    expect((await offline(`list -A -o json`)).stdout).toContain('"revision": 2')
    const ours = `-n ${cli.namespace}`
    expect(JSON.parse((await offline(`history shop -o json ${ours}`)).stdout)).toMatchObject([
      { revision: 1, status: 'superseded', created: expect.any(String) as string },
      { revision: 2, status: 'deployed', updated: expect.any(String) as string },
    ])
    expect((await offline(`get manifest shop ${ours}`)).stdout).toContain('colour: red')
    expect(await offline(`diff shop --from 1 --to 2 ${ours}`)).toMatchObject({ code: 2 })
    expect((await offline(`list -o json`)).stdout.trim()).toBe('[]')
    expect(await offline(`uninstall shop ${ours}`)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('kubeconfig') as string,
    })
  })

  it('install reads a manifest from standard input', async () => {
    const { code } = await cli.lading('install shop - --create-namespace', { stdin: config('green') })
    expect(code).toBe(0)
    expect((await cli.lading('get manifest shop')).stdout).toContain('colour: green')
  })

  it('install --generate-name makes a name from that of the source, --name-template from a template', async () => {
    const nameOf = async (command: string): Promise<unknown> => {
      const { stdout } = await cli.lading(`${command} --create-namespace --take-ownership -o json`)
      return (JSON.parse(stdout) as { name: string }).name
    }
    expect(await nameOf('install ./blue.yaml --generate-name')).toMatch(/^blue-[b-z2-9]{5}$/)
    expect(await nameOf('install --name-template {{"SHOP"|lower}}-3 blue.yaml')).toBe('shop-3')
    const refused = await Promise.all(
      [
        'install blue.yaml',
        'install shop blue.yaml --generate-name',
        'install blue.yaml -g --name-template x',
        'install blue.yaml --name-template {{nonsense}}',
        'install blue.yaml --name-template Bad_Name',
      ].map((command) => cli.lading(command)),
    )
    expect(refused.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2])
    expect(refused.map(({ stderr }) => stderr.split('\n')[0])).toEqual([
      'error: only blue.yaml was given: give a name and a source, or the source with --generate-name',
      'error: give either the name shop or --generate-name',
      expect.stringContaining('cannot be used with'),
      expect.stringContaining('"nonsense" not defined'),
      expect.stringContaining('"Bad_Name" is no name for a release'),
    ])
  })

  it('install of a release that exists ends with the code of a conflict', async () => {
    await cli.lading('install shop blue.yaml --create-namespace')
    const { code, stdout, stderr } = await cli.lading('install shop blue.yaml')
    expect(code).toBe(6)
    expect(stdout).toBe('')
    expect(stderr).toContain('exists already')
  })

  it('install --dry-run prints the plan and installs nothing', async () => {
    const { code, stdout } = await cli.lading('install shop blue.yaml -n default --dry-run')
    expect(code).toBe(0)
    expect(stdout).toBe('install default/shop as revision 1: 1 create\n  + create ConfigMap default/settings\n')
    expect((await cli.lading('history shop -n default')).code).toBe(8)
  })

  it('install --dry-run that could not be carried out prints the plan and fails as the install would', async () => {
    await cli.lading('install shop blue.yaml --create-namespace')
    const { code, stdout, stderr } = await cli.lading('install other red.yaml --dry-run')
    expect(code).toBe(6)
    expect(stdout).toContain(`! conflict ConfigMap ${cli.namespace}/settings`)
    expect(stderr).toContain('does not belong to the release')
  })

  it('install --dry-run --create-namespace plans for a namespace that is yet to come', async () => {
    const { code, stdout } = await cli.lading('install shop blue.yaml --create-namespace --dry-run')
    expect(code).toBe(0)
    expect(stdout).toContain(`? later ConfigMap ${cli.namespace}/settings`)
  })

  it('install that is interrupted ends with 130 and leaves a release that can be worked on', async () => {
    const controller = new AbortController()
    const { code, stderr } = await cli.lading('install shop broken-slow.yaml --create-namespace --wait', {
      signal: controller.signal,
      onStderr: (text) => {
        if (text.includes('InProgress')) controller.abort()
      },
    })
    expect({ code, stderr }).toMatchObject({ code: 130 })
    expect((await cli.lading('upgrade shop blue.yaml --install')).code).toBe(0)
  })

  it('install of what does not come up explains it: the object, its pod, events and the end of the log', async () => {
    const { code, stderr } = await cli.lading('install shop broken.yaml --create-namespace --wait --timeout 2m')
    expect(code).toBe(7)
    expect(stderr).toContain(`error: install of release ${cli.namespace}/shop failed as revision 1`)
    expect(stderr).toContain(`  Deployment.apps ${cli.namespace}/web Failed`)
    expect(stderr).toMatch(/Warning BackOff/)
    expect(stderr).toMatch(/log of web:\n +no database\n/)
    expect(stderr).toMatch(/next: Look at what failed.*\n$/)
  })

  it('install --atomic that fails leaves nothing', async () => {
    const { code, stderr } = await cli.lading('install shop broken.yaml --create-namespace --atomic --timeout 2m')
    expect([code, stderr]).toEqual([7, expect.stringContaining('; what was installed is removed again\n')])
    expect((await cli.lading('history shop')).code).toBe(8)
  })

  it('on a terminal, progress is drawn in place and ends in one line', async () => {
    const terminal = { columns: 100, rows: 24 }
    const { code, stderr } = await cli.lading('install shop blue.yaml --create-namespace --wait', { terminal })
    expect(code).toBe(0)
    expect(stderr).toContain('\u001B[0J')
    expect(lines(stderr).at(-1)).toMatch(/install n\d+\/shop: 2 created, 1 of 1 ready, \d+ s$/)
  })

  it('upgrade makes a revision of what changed and says unchanged otherwise', async () => {
    await cli.lading('install shop blue.yaml --create-namespace')
    expect(JSON.parse((await cli.lading('upgrade shop blue.yaml -o json')).stdout)).toMatchObject({
      outcome: 'unchanged',
      revision: 1,
    })
    expect(JSON.parse((await cli.lading('upgrade shop red.yaml -o json')).stdout)).toMatchObject({
      outcome: 'deployed',
      revision: 2,
    })
  })

  it('upgrade of what is not there ends as not found, and installs with --install', async () => {
    expect((await cli.lading('upgrade shop blue.yaml -n default')).code).toBe(8)
    expect((await cli.lading('upgrade shop blue.yaml --install --create-namespace')).code).toBe(0)
  })

  it('values are recorded with who gave them, reused with --reuse-values and forgotten with --reset-values', async () => {
    await cli.lading('install shop blue.yaml --create-namespace -f values.yaml --set replicas=3')
    expect((await cli.lading('get values shop')).stdout).toBe('image:\n  tag: "1"\nreplicas: 3\n')
    expect(JSON.parse((await cli.lading('get provenance shop -o json')).stdout)).toEqual(
      expect.arrayContaining([
        { path: 'image.tag', source: 'values-file', origin: expect.stringMatching(/values\.yaml$/) as string },
        { path: 'replicas', source: 'command-line', origin: '--set replicas=3' },
      ]),
    )
    await cli.lading('upgrade shop red.yaml --reuse-values --set replicas=5')
    expect(JSON.parse((await cli.lading('get values shop -o json')).stdout)).toEqual({
      image: { tag: '1' },
      replicas: 5,
    })
    await cli.lading('upgrade shop blue.yaml --reset-values --set replicas=7')
    expect(JSON.parse((await cli.lading('get values shop -o json')).stdout)).toEqual({ replicas: 7 })
  })

  it('rollback goes back to the last good revision, or to the one that is named', async () => {
    await cli.lading('install shop blue.yaml --create-namespace')
    await cli.lading('upgrade shop red.yaml')
    expect((await cli.lading('rollback shop')).code).toBe(0)
    expect((await cli.lading('get manifest shop')).stdout).toContain('colour: blue')
    expect((await cli.lading('rollback shop 2')).code).toBe(0)
    const history = JSON.parse((await cli.lading('history shop -o json')).stdout) as { description: string }[]
    expect(history.map(({ description }) => description)).toEqual([
      'Install complete',
      'Upgrade complete',
      'Rollback to 1',
      'Rollback to 2',
    ])
    expect((await cli.lading('rollback shop 99')).code).toBe(8)
    expect((await cli.lading('rollback shop 0')).code).toBe(2)
  })

  it('uninstall removes objects and history; --keep-history keeps it', async () => {
    await cli.lading('install shop blue.yaml --create-namespace')
    const kept = await cli.lading('uninstall shop --keep-history -o json')
    expect(JSON.parse(kept.stdout)).toMatchObject({ outcome: 'uninstalled', status: 'uninstalled' })
    expect((await cli.lading('history shop')).stdout).toContain('uninstalled')
    expect((await cli.lading('uninstall shop')).code).toBe(0)
    expect((await cli.lading('history shop')).code).toBe(8)
    expect((await cli.lading('uninstall shop')).code).toBe(8)
    const ignored = await cli.lading('uninstall shop --ignore-not-found -o json')
    expect([ignored.code, JSON.parse(ignored.stdout)]).toMatchObject([0, { outcome: 'not-found', name: 'shop' }])
  })

  it('get manifest masks the values of Secrets unless they are asked for', async () => {
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: key}\nstringData: {token: swordfish}\n'
    await cli.lading('install shop - --create-namespace', { stdin: secret })
    expect((await cli.lading('get manifest shop')).stdout).toMatch(/token: "\*\*\*[0-9a-f]{8}"/)
    expect((await cli.lading('get manifest shop -o json')).stdout).not.toContain('swordfish')
    expect((await cli.lading('get manifest shop --show-secrets')).stdout).toContain('token: swordfish')
  })

  it('get notes of a release without notes prints nothing; get hooks lists phases', async () => {
    await cli.lading('install shop - --create-namespace', { stdin: hook })
    expect((await cli.lading('get notes shop')).stdout).toBe('')
    expect((await cli.lading('get hooks shop')).stdout).toMatch(/HOOK +PHASES.*\nJob.batch n\d+\/check +test +5/)
  })

  it('an identity without rights is told so', async () => {
    const { code, stderr } = await cli.lading('history shop --as somebody')
    expect(code).toBe(4)
    expect(stderr).toContain('somebody')
  })
})

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

const broken = deployment('lading.dev/simulate: crash-loop, lading.dev/simulate-logs: no database')

const hook = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: check
  annotations: {helm.sh/hook: test, helm.sh/hook-weight: "5"}
spec:
  template:
    spec: {restartPolicy: Never, containers: [{name: check, image: registry.example/check}]}
`
