import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context } from '../../../core/index.ts'
import { connect, deleteObject } from '../../../kube/index.ts'
import { type Registry, startRegistry } from '../../../sandbox/index.ts'
import { createProgram } from '../../program.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'
import { runCli } from '../../testdata/run-cli.ts'
import { silentIo } from '../../testdata/silent-io.ts'

/** One way to use a command: its command line, flags that change what comes of it, and flags that are refused. */
interface Mode {
  readonly name: string
  readonly command: string
  readonly base: string
  /** A flag with its value; `base` is replaced where the effect shows in another command line only. */
  readonly effects: readonly (string | { readonly flag: string; readonly base: string })[]
  readonly refused: readonly string[]
}

/** How clusters and registries are reached, and how much is logged: without an effect only where none is asked. */
const reaching = [
  '--kubeconfig',
  '--context',
  '--as',
  '--as-group',
  '--log-level',
  '--insecure-skip-tls-verify',
  '--allow-token-host',
]
const storage = ['--storage', '--storage-namespace', '--storage-path', '--storage-compression', '--storage-large']
const registryFlags = ['--plain-http', '--registry-ca none.pem']
const digest = `sha256:${'0'.repeat(64)}`
const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'
const building = ['--registry oci://x/y', '--tag t', '--sign cosign.key', `--recipient ${recipient}`]
const onlyBuild = [...building, '--allow-remote x.example', '--allow-unpinned', '--credentials a=.']
const reading = ['--verify other.pub', '--identity none.txt']
const ofComponent = [
  ...building,
  '--credentials a=.',
  '--input a=b',
  '--jobs x.db',
  '--jobs-key x.key',
  '--progress plain',
  ...reading,
]
const to = '--registry REGISTRY --plain-http'

const flags = (...all: readonly string[]) => all

const modes: readonly Mode[] = [
  {
    name: 'build DIR',
    command: 'build',
    base: 'build plain',
    effects: [
      '--output json',
      '--reorder none',
      { flag: '--load-restrictor none', base: 'build outside' },
      { flag: '--enable-helm', base: 'build chart' },
      { flag: '--allow-remote git.example', base: 'build remote' },
      { flag: '--allow-unpinned', base: 'build remote' },
      { flag: '--remote-lock lock.json', base: 'build remote' },
    ],
    refused: [
      ...ofComponent,
      ...registryFlags,
      '--insecure-skip-tls-verify',
      '--allow-token-host x',
      '--detach',
      '-n other',
    ],
  },
  {
    name: 'build FILE',
    command: 'build',
    base: `build web.toml ${to}`,
    effects: [
      ...flags(
        '--output json',
        '--tag v2',
        '--input colour=red',
        '--detach',
        '--jobs /dev/null/x',
        '--jobs-key /dev/null/x',
        '--progress none',
      ),
      ...flags('--sign cosign.key', `--recipient ${recipient}`, '--registry-ca none.pem'),
      { flag: '--registry REGISTRY', base: 'build web.toml --plain-http' },
      { flag: '--plain-http', base: 'build web.toml --registry REGISTRY' },
      { flag: '--allow-remote git.example', base: `build remote.toml ${to}` },
      { flag: '--allow-unpinned', base: `build remote.toml ${to}` },
      { flag: '--verify other.pub', base: `build mirror.toml ${to} --credentials theirs=creds` },
      { flag: '--identity none.txt', base: `build mirror.toml ${to}` },
      { flag: '--credentials theirs=creds', base: `build mirror.toml ${to}` },
    ],
    refused: [
      ...flags('--enable-helm', '--load-restrictor none', '--reorder none', '-n other', ...reading),
      ...flags('--remote-lock lock.json', '--allow-remote x.example', '--allow-unpinned', '--credentials a=.'),
    ],
  },
  {
    name: 'build FILE --detach',
    command: 'build',
    base: `build mirror.toml ${to} --detach`,
    effects: [
      '--output json',
      '--tag a/b',
      '--jobs /dev/null/x',
      '--jobs-key /dev/null/x',
      '--verify none.pub',
      '--registry-ca none.pem',
    ],
    refused: [
      ...flags('--sign cosign.key', '--identity none.txt', '--credentials theirs=creds', '--progress plain'),
      '-n other',
    ],
  },
  {
    name: 'deploy FILE',
    command: 'deploy',
    base: `deploy web.toml ${to}`,
    effects: [
      ...flags(
        '--output json',
        '--artifact oci://REGISTRY-HOST/none:x',
        '--plan-only',
        '--teardown',
        '--approve none.json',
      ),
      ...flags(
        `--rollback-to ${digest}`,
        '--input colour=red',
        '--jobs /dev/null/x',
        '--jobs-key /dev/null/x',
        '--progress none',
        '--tag a/b',
      ),
      ...flags(...reading, '--sign none.key', `--recipient ${recipient}`, '--registry-ca none.pem', '--storage file'),
      ...flags('--out /dev/null/x', '--expires x', '--verify-plan none.pub'),
      { flag: '--plan none.json', base: 'deploy web.toml --plain-http' },
      { flag: '--create-namespace', base: `deploy new.toml ${to} --plan-only` },
      { flag: '--force-conflicts', base: `deploy taken.toml ${to} --plan-only` },
      { flag: '--take-ownership', base: `deploy theirs.toml ${to} --plan-only` },
      { flag: '--replace', base: `deploy task.toml ${to} --plan-only` },
      { flag: '--allow-remote git.example', base: `deploy remote.toml ${to}` },
      { flag: '--allow-unpinned', base: `deploy remote.toml ${to}` },
      { flag: '--credentials theirs=creds', base: `deploy mirror.toml ${to}` },
      { flag: '--registry REGISTRY', base: 'deploy web.toml --plain-http' },
      { flag: '--plain-http', base: 'deploy web.toml --registry REGISTRY' },
    ],
    refused: ['-n other', '--credentials a=.', '--allow-remote x.example', '--allow-unpinned'],
  },
  {
    name: 'deploy FILE --plan-only',
    command: 'deploy',
    base: `deploy web.toml ${to} --plan-only`,
    effects: ['--output json'],
    refused: ['--approve auto', '--plan none.json'],
  },
  {
    name: 'deploy FILE --plan',
    command: 'deploy',
    base: 'deploy web.toml --plan none.json',
    effects: ['--verify none.pub', '--identity none.txt', '--approve other.json', '--verify-plan none.pub'],
    refused: [
      ...flags(...building, '--artifact oci://x/y:z', `--rollback-to ${digest}`, '--create-namespace', '--teardown'),
      ...flags('--force-conflicts', '--take-ownership', '--replace', '--expires 1h', '--out x.json', '--plan-only'),
    ],
  },
  {
    name: 'deploy FILE --artifact',
    command: 'deploy',
    base: 'deploy web.toml --artifact oci://REGISTRY-HOST/none:x --plain-http',
    effects: ['--verify none.pub', '--identity none.txt', '--teardown'],
    refused: onlyBuild,
  },
  {
    name: 'deploy FILE --rollback-to',
    command: 'deploy',
    base: `deploy web.toml --rollback-to ${digest}`,
    effects: ['--output json', '--input namespace=other', '--storage file'],
    refused: [...onlyBuild, ...reading, '--artifact oci://x/y:z', '--teardown', '-n other'],
  },
  {
    name: 'deploy FILE --teardown',
    command: 'deploy',
    base: 'deploy web.toml --teardown',
    effects: ['--output json', '--input namespace=other', '--storage file'],
    refused: [
      ...flags(...onlyBuild, ...reading, '--artifact oci://x/y:z', `--rollback-to ${digest}`, '--create-namespace'),
      ...flags('--force-conflicts', '--take-ownership', '--replace', '-n other'),
      ...flags('--allow-health-url x', '--allow-local-health-url'),
    ],
  },
  {
    name: 'drift FILE',
    command: 'drift',
    base: 'drift mine.toml --plain-http',
    effects: [
      ...flags(
        '--output json',
        '--artifact oci://REGISTRY-HOST/none:x',
        '--jobs /dev/null/x',
        '--jobs-key /dev/null/x',
        '--input a=b',
      ),
      ...flags('--progress none', '--registry-ca none.pem', '--storage file'),
      { flag: '--correct', base: 'drift changed.toml' },
      { flag: '--remove-foreign-fields', base: 'drift changed.toml' },
      { flag: '--plain-http', base: 'drift mine.toml --artifact oci://REGISTRY-HOST/none:x' },
    ],
    refused: ['--unchanged', '-n other'],
  },
  {
    name: 'drift RELEASE',
    command: 'drift',
    base: 'drift mine',
    effects: ['--output json', '--unchanged', '-n other', '--storage file'],
    refused: [
      '--artifact oci://x/y:z',
      '--input a=b',
      '--jobs x.db',
      '--jobs-key x.key',
      '--allow-token-host x',
      ...registryFlags,
    ],
  },
  {
    name: 'runner start',
    command: 'runner start',
    base: 'runner start --once',
    effects: [
      ...flags('--concurrency 0', '--per-group 0', '--grace x', '--keep-jobs x', '--watch none.toml', '--input a=b'),
      ...flags(
        '--jobs /dev/null/x',
        '--jobs-key /dev/null/x',
        '--sign none.key',
        '--verify none.pub',
        '--identity none.txt',
        '--credentials a',
      ),
      ...flags('--registry-ca none.pem', '--storage none', '--verify-plan none.pub'),
    ],
    refused: [
      '-n other',
      '--output json',
      '--correct',
      '--remove-foreign-fields',
      '--ignore-manager x',
      '--no-default-ignores',
    ],
  },
  ...['list', 'get ID', 'logs ID', 'cancel ID', 'prune --older-than 1h'].map((words) => ({
    name: `jobs ${words}`,
    command: `jobs ${words.split(' ')[0]}`,
    base: `jobs ${words}`,
    effects: [
      '--output json',
      '--jobs /dev/null/x',
      '--jobs-key /dev/null/x',
      ...(words === 'list' ? ['--group none', '--state failed', '--limit 0'] : []),
    ],
    refused: ['-n other'],
  })),
]

/** Which fields of others count, and how long a correction may take, shows in the tests of drift. */
const foreign = ['--ignore-manager', '--no-default-ignores', '--timeout']

/** Which addresses health checks may ask shows in the tests of health. */
const healthUrls = ['--allow-health-url', '--allow-local-health-url']

/** What a base command line has already, or what shows elsewhere: jobs are waited for, and how plans are applied is the engine's. */
const known: Readonly<Record<string, readonly string[]>> = {
  drift: foreign,
  deploy: ['--wait-for-jobs', ...healthUrls],
  'jobs logs': ['--follow'],
  'jobs prune': ['--older-than'],
  'runner start': ['--once', '--plain-http', ...healthUrls],
}

let cli: CliSandbox
let registry: Registry
let id = ''

beforeAll(async () => {
  cli = await openCliSandbox()
  registry = await startRegistry()
  for (const [path, text] of Object.entries(files())) {
    mkdirSync(dirname(join(cli.cwd, path)), { recursive: true })
    writeFileSync(join(cli.cwd, path), text)
  }
  for (const name of ['cosign', 'other']) await run(`generate-key ${name}`)
  await run('install theirs theirs.yaml')
  for (const name of ['mine', 'changed', 'task']) await run(`deploy ${name}.toml ${to} --approve auto`)
  writeFileSync(join(cli.cwd, 'task.toml'), files()['task.toml']!.replace('busybox:1', 'busybox:2'))
  const ctx = context()
  const cluster = await connect({ kubeconfig: join(cli.cwd, 'kubeconfig') }, ctx)
  const changed = { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'changed' }
  await deleteObject(cluster, changed, {}, ctx)
  await cluster.close()
  id = (await run(`build mine.toml ${to} --detach`)).stdout.trim()
}, 120_000)
afterAll(async () => {
  await registry.stop()
  await cli.close()
})

function run(line: string) {
  const words = line
    .replaceAll('REGISTRY-HOST', registry.host)
    .replaceAll('REGISTRY', `oci://${registry.host}/web`)
    .replaceAll(' ID', ` ${id}`)
    .split(' ')
  return runCli({ cwd: cli.cwd, env: { HOME: cli.cwd } }, ...words, '--kubeconfig', 'kubeconfig')
}

describe.each(modes)('$name', ({ base, effects, refused }) => {
  it.each(refused)('refuses %s in one sentence', async (flag) => {
    const { code, stderr, stdout } = await run(`${base} ${flag}`)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.split('\n')[0]).toContain(flag.split(' ')[0])
  })

  it.each(effects.map((each) => (typeof each === 'string' ? { flag: each, base } : each)))(
    'is changed by $flag',
    async ({ flag, base: line }) => {
      expect(stable(await run(`${line} ${flag}`))).not.toEqual(stable(await run(line)))
    },
  )
})

it('every flag of these commands has a row', () => {
  const rows = new Map<string, Set<string>>()
  for (const { command, base, effects, refused } of modes) {
    const own = rows.get(command) ?? new Set([...reaching, ...storage, ...(known[command] ?? [])])
    const all = [...effects.map((each) => (typeof each === 'string' ? each : each.flag)), ...refused, base]
    for (const word of all.join(' ').split(' ')) own.add(word === '-n' ? '--namespace' : word)
    rows.set(command, own)
  }
  const program = createProgram(silentIo())
  for (const [command, flags] of rows) {
    const found = command.split(' ').reduce((at, word) => at.commands.find((each) => each.name() === word)!, program)
    const declared = [...found.options, ...program.options].map(({ long }) => long!)
    expect([command, declared.filter((flag) => !flags.has(flag))]).toEqual([command, []])
  }
})

/** Without what differs each time: ids of jobs and times. */
function stable({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) {
  const text = `${stdout}\n${stderr}`.replaceAll(
    /[0-9a-f]{8}-[0-9a-f-]{27}|\d+(?:\.\d+)? ?m?s\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g,
    '',
  )
  return { code, text }
}

function component(name: string, manifest: string, more = ''): string {
  return `type = "kubernetes_manifest"\nname = "${name}"\nnamespace = "{{ .inputs.namespace }}"\nmanifest = """\n${manifest}"""\n${more}\n[inputs.namespace]\ndefault = "default"\n[inputs.colour]\ndefault = "blue"\n`
}

function files(): Readonly<Record<string, string>> {
  const map = (name: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  colour: "{{ .inputs.colour }}"\n`
  const job =
    'apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: m, image: "busybox:1"}]}}}\n'
  const kustomize = (name: string, path: string) =>
    `type = "kubernetes_manifest"\nname = "${name}"\nnamespace = "default"\n[kustomize]\npath = "${path}"\n`
  return {
    'web.toml': component('web', map('web')),
    'mine.toml': component('mine', map('mine')),
    'changed.toml': component('changed', map('changed')),
    'new.toml': component('new', map('new')).replace('default = "default"', 'default = "brand-new"'),
    'taken.toml': component('taken', map('theirs')),
    'theirs.toml': component('mine2', map('mine')),
    'task.toml': component('task', job, '[health]\nenabled = false\n'),
    'remote.toml': kustomize('remote', 'remote'),
    'mirror.toml': `type = "kubernetes_manifest"\nname = "mirror"\nnamespace = "default"\n[oci_artifact]\nurl = "oci://${registry.host}/web"\ntag = "latest"\ncredentials_ref = "theirs"\n`,
    'theirs.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: theirs\ndata:\n  colour: green\n',
    'creds/config.json': '{}',
    'plain/kustomization.yaml': 'resources: [b.yaml]\n',
    'plain/b.yaml': `${map('b').replaceAll(/".*"/g, 'x')}---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: z\n`,
    'outside/kustomization.yaml': 'resources: [../plain/b.yaml]\n',
    'chart/kustomization.yaml': 'helmCharts: [{name: web}]\n',
    'chart/charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'chart/charts/web/templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n',
    'remote/kustomization.yaml': 'resources: ["https://git.example/a//b?ref=v1"]\n',
  }
}
