import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context } from '../core/index.ts'
import { connect, type Connected, listObjects } from '../kube/index.ts'
import { deployment } from './testdata/manifests.ts'
import { type CliSandbox, openCliSandbox } from './testdata/cli-sandbox.ts'

const ctx = context()
const leases = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' }
const program = fileURLToPath(new URL('./run.ts', import.meta.url))

describe('lading as a process', () => {
  let cli: CliSandbox
  let cluster: Connected
  beforeAll(async () => {
    cli = await openCliSandbox()
    cluster = await connect({ kubeconfig: cli.sandbox.kubeconfig }, ctx)
    const many = Array.from({ length: 3000 }, (_, at) => config(`c${at}`))
    cli.write('many.yaml', many.join('---\n'))
    cli.write('some.yaml', many.slice(0, 50).join('---\n'))
    cli.write('slow.yaml', slow)
  })
  afterAll(async () => {
    await cluster.close()
    await cli.close()
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'that gets %s gives its lock back, marks the revision as failed and ends with %i',
    async (signal, code) => {
      const name = signal.toLowerCase()
      const child = start('install', name, 'slow.yaml', '--wait', '--take-ownership')
      await said(child.stderr, 'InProgress')
      child.kill(signal)
      expect(await ended(child)).toBe(code)
      expect(JSON.parse((await cli.lading(`history ${name} -o json`)).stdout)).toMatchObject([{ status: 'failed' }])
      expect((await listObjects(cluster, { gvk: leases, namespace: 'default' }, ctx)).items).toEqual([])
    },
  )

  it('whose reader has seen enough ends without a word', async () => {
    const child = start('template', 'shop', 'many.yaml')
    const stderr = text(child.stderr)
    await once(child.stdout, 'data')
    child.stdout.destroy()
    expect([await ended(child), await stderr]).toEqual([0, ''])
  })

  it('goes on with its work when nobody reads its progress any more', async () => {
    const child = start('install', 'unseen', 'some.yaml', '--progress', 'plain')
    await once(child.stderr, 'data')
    child.stderr.destroy()
    expect(await ended(child)).toBe(0)
    expect((await cli.lading('history unseen')).stdout).toContain('deployed')
  })

  it('reads nothing from a standard input that is closed, and says so', async () => {
    const child = start('install', 'empty', '-')
    const stderr = text(child.stderr)
    child.stdin.end()
    expect([await ended(child), await stderr]).toEqual([3, expect.stringContaining('standard input')])
  })

  function start(...args: string[]): ReturnType<typeof spawnLading> {
    return spawnLading(cli.cwd, args)
  }
})

function spawnLading(cwd: string, args: readonly string[]) {
  return spawn(process.execPath, [program, ...args, '--kubeconfig', 'kubeconfig'], { cwd, stdio: 'pipe' })
}

async function ended(child: ReturnType<typeof spawnLading>): Promise<number | null> {
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

function said(stream: NodeJS.ReadableStream, wanted: string): Promise<void> {
  let seen = ''
  return new Promise((resolve) => {
    stream.on('data', (chunk) => {
      seen += String(chunk)
      if (seen.includes(wanted)) resolve()
    })
  })
}

function config(name: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {value: "${name}"}\n`
}

const slow = deployment('lading.dev/simulate: unready')
