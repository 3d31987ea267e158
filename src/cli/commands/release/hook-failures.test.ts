import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Registry, startRegistry } from '../../../sandbox/index.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'
import { config } from '../../testdata/manifests.ts'

let cli: CliSandbox
let registry: Registry

beforeAll(async () => {
  cli = await openCliSandbox()
  registry = await startRegistry()
})
afterAll(async () => {
  await registry.stop()
  await cli.close()
})

it('a failed hook’s log stands in the error for people, once', async () => {
  cli.write('shop.yaml', `${config('blue')}---\n${hook('pre-install')}`)
  const { code, stderr } = await cli.lading('install people shop.yaml')
  expect(code).not.toBe(0)
  expect(stderr).toContain('its log ends with: no such table')
  expect(stderr).toContain('  log of Job.batch default/migrate:\n    begin\n    no such table\n')
  expect(stderr.split('\n').filter((line) => line.trim() === 'no such table')).toHaveLength(1)
})

it('a failed hook’s log stands in the error of -o json', async () => {
  cli.write('shop.yaml', `${config('blue')}---\n${hook('pre-install')}`)
  const { stderr } = await cli.lading('install json shop.yaml -o json --progress none')
  expect(JSON.parse(stderr)).toMatchObject({
    error: { code: 'release.failed', details: { code: 'hook.failed', log: ['begin', 'no such table'] } },
  })
})

it('the log of a failed test stands in the error of lading test, and that of a pre-delete hook in that of uninstall', async () => {
  cli.write('tested.yaml', `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: tested}\n---\n${hook('test,pre-delete')}`)
  await cli.lading('install tested tested.yaml')
  const tested = await cli.lading('test tested')
  expect(tested.stderr).toContain('  log of Job.batch default/migrate:\n    begin\n    no such table\n')
  expect(tested.stderr.split('\n').filter((line) => line.trim() === 'no such table')).toHaveLength(1)
  const json = await cli.lading('test tested -o json --progress none')
  expect(JSON.parse(json.stderr)).toMatchObject({
    error: { details: { failures: [{ log: ['begin', 'no such table'] }] } },
  })
  const { stderr } = await cli.lading('uninstall tested')
  expect(stderr).toContain('  log of Job.batch default/migrate:\n    begin\n    no such table\n')
})

it('the log of a failed hook stands in the error of lading deploy, and in the job', async () => {
  const manifest = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: made\n---\n${hook('pre-install')}`
  const head = 'type = "kubernetes_manifest"\nname = "made"\nnamespace = "default"\n'
  cli.write('made.toml', `${head}manifest = '''\n${manifest}'''\n`)
  const to = `--registry oci://${registry.host}/shop --plain-http`
  const world = { env: { HOME: cli.cwd } }
  const { code, stderr } = await cli.lading(`deploy made.toml ${to} --approve auto -n default`, world)
  expect(code).not.toBe(0)
  expect(stderr).toContain('  log of Job.batch default/migrate:\n    begin\n    no such table\n')
  const { stdout } = await cli.lading('jobs list -o json', world)
  const failed = (JSON.parse(stdout) as { id: string; state: string }[]).find(({ state }) => state === 'failed')
  const logs = await cli.lading(`jobs logs ${failed?.id}`, world)
  expect(logs.stdout).toContain('\n  | begin\n  | no such table\n')
  const job = await cli.lading(`jobs get ${failed?.id} -o json`, world)
  expect(JSON.parse(job.stdout)).toMatchObject({ error: { details: { log: ['begin', 'no such table'] } } })
})

function hook(phases: string): string {
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations: {helm.sh/hook: "${phases}", helm.sh/hook-delete-policy: hook-failed}
spec:
  backoffLimit: 0
  template:
    metadata:
      annotations:
        lading.dev/simulate: job-fail
        lading.dev/simulate-logs: "begin\\nno such table"
    spec:
      restartPolicy: Never
      containers: [{name: main, image: registry.example/migrate}]
`
}
