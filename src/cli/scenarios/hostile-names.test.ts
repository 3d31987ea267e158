import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { context, systemClock } from '../../core/index.ts'
import { openJobStore } from '../../pipeline/index.ts'
import { createStore, formatDiff, type ReleaseRecord } from '../../release/index.ts'
import { type CliSandbox, openCliSandbox } from '../testdata/cli-sandbox.ts'
import { type CliResult, runCli } from '../testdata/run-cli.ts'

const ctx = context()
const hostile = 'a\nFORGED \u001B[31mred\u009B2J\r\u202Eb\u2028FORGED'
const shown = String.raw`a\nFORGED \u001b[31mred\u009b2J\r\u202eb\u2028FORGED`
const stored = '--storage file --storage-path records'
let cli: CliSandbox
let job: string

beforeAll(async () => {
  cli = await openCliSandbox()
  cli.write('shop.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: "1"}\n')
  cli.write('named.yaml', `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${JSON.stringify(hostile)}}\n`)
  await cli.lading(`install shop shop.yaml ${stored}`)
  await changeTo(hostile)
  await forge()
  job = await enqueue()
})
afterAll(() => cli.close())

it.each([
  `list ${stored}`,
  `history shop ${stored}`,
  `status shop ${stored}`,
  `get hooks shop ${stored}`,
  `drift shop ${stored}`,
  `diff shop shop.yaml ${stored}`,
  `plan upgrade shop shop.yaml ${stored}`,
  'plan install new named.yaml',
  'install new named.yaml',
  'install new named.yaml --progress plain --dry-run',
  'diff shop named.yaml --storage file --storage-path records',
  'jobs list --jobs jobs.db --jobs-key jobs.key',
  'jobs logs JOB --jobs jobs.db --jobs-key jobs.key',
])('%s prints a hostile name on one line, spelt', async (command) => {
  const result = await cli.lading(command.replace('JOB', job))
  expect(checked(result)).toMatch(/FORGED/)
})

it('shows the name itself in tables and diffs', async () => {
  const listed = await cli.lading(`list ${stored}`)
  expect(listed.stdout).toContain(shown)
  const ref = { group: '', version: 'v1', kind: 'ConfigMap', name: hostile }
  const change = { path: hostile, before: 1, after: 2, manager: hostile, time: hostile }
  const drift = { state: 'modified', changes: [change], added: [change] } as const
  const text = formatDiff([{ ref, change: 'modified', changes: [change], drift, note: hostile }] as never)
  expect(checked({ code: 0, stdout: text, stderr: '' })).toContain(`by ${shown} at ${shown}`)
})

it('shows the lines of an error behind a bar', async () => {
  const result = await runCli({ cwd: cli.cwd }, 'template', 'shop', `./x\nerror: FORGED\u001B[31m.yaml`)
  expect(checked(result)).toMatch(/^error: .*x\n {2}\| error: FORGED\\u001b\[31m\.yaml does not exist\n/)
})

it.each(['install', 'upgrade --install'])('the live view of %s shows no such name raw', async (command) => {
  const world = { terminal: { columns: 300, rows: 30 }, env: { NO_COLOR: '1' } }
  const { stderr } = await cli.lading(`${command} new named.yaml`, world)
  // oxlint-disable-next-line no-control-regex
  checked({ code: 0, stdout: '', stderr: stderr.replaceAll(/\u001B\[\d+A\u001B\[0J/g, '') })
})

/** All that was printed, which has no control characters but line breaks, and no line that a name made. */
function checked({ stdout, stderr }: CliResult): string {
  const text = stdout + stderr
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/)
  expect(text).not.toMatch(/^(?:error: )?FORGED/m)
  return text
}

async function changeTo(a: string): Promise<void> {
  const { connect } = await import('../../kube/index.ts')
  const cluster = await connect({ kubeconfig: cli.sandbox.kubeconfig }, ctx)
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a } }
  const query = new URLSearchParams({ fieldManager: 'kubectl', force: 'true' })
  const path = `/api/v1/namespaces/default/configmaps/settings?${query.toString()}`
  await cluster.transport.request({ method: 'PATCH', path, body, contentType: 'application/apply-patch+yaml' }, ctx)
  await cluster.close()
}

/** Records as somebody might write them who can write to the store. */
async function forge(): Promise<void> {
  const store = createStore({ driver: 'file', path: join(cli.cwd, 'records') })
  const found = await store.get({ name: 'shop', namespace: 'default', version: 1 }, ctx)
  const { record } = found!
  const object = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: hostile } }
  const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'default', name: hostile }
  const next: ReleaseRecord = {
    ...record,
    pack: { ...record.pack, name: hostile },
    description: hostile,
    hooks: [{ object, phases: ['pre-upgrade'], weight: 0, path: hostile }],
    inventory: [...record.inventory, { ref, hash: 'x' }],
  }
  await store.update(found!, next, ctx)
}

async function enqueue(): Promise<string> {
  const store = openJobStore(join(cli.cwd, 'jobs.db'), systemClock, join(cli.cwd, 'jobs.key'))
  const { id } = await store.enqueue({
    type: 'oci-sync',
    operation: 'sync',
    plan: { src_registry: 'oci://a.example/b', src_tag: 'v1', dst_registry: 'oci://c.example/d', dst_tag: 'v1' },
    timeoutMs: 1000,
    group: hostile,
    cluster: hostile,
  })
  const leased = await store.lease({ worker: hostile, leaseMs: 1000, perGroup: 1 })
  await store.log(leased!, [{ time: 0, level: 'info', message: `fetched ${hostile}` }])
  await store.end(leased!, { state: 'failed', error: { code: 'build.failed', message: hostile } })
  store.close()
  return id
}
