import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Registry, startRegistry } from '../../../sandbox/index.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'
import { runCli } from '../../testdata/run-cli.ts'

let cli: CliSandbox
let registry: Registry

beforeAll(async () => {
  cli = await openCliSandbox()
  registry = await startRegistry()
  cli.write('shop.toml', component('shop', 'drift_schedule = "@yearly"\n[inputs.stage]\n'))
  cli.write('plain.toml', component('plain', ''))
})
afterAll(async () => {
  await registry.stop()
  await cli.close()
})

function component(name: string, more: string): string {
  const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n'
  const namespace = more === '' ? 'default' : '{{ .inputs.stage }}'
  return `type = "kubernetes_manifest"\nname = "${name}"\nnamespace = "${namespace}"\nmanifest = """\n${manifest}"""\n${more}`
}

const lading = (command: string) =>
  runCli({ cwd: cli.cwd, env: { HOME: cli.cwd } }, ...`${command} --kubeconfig kubeconfig`.split(' '))

it('a runner watches a component with its inputs and its artifact, and ends when nothing is left to do', async () => {
  const watch = `--watch shop.toml=oci://${registry.host}/shop:v1`
  expect((await lading(`runner start --once ${watch} --input stage=default`)).code).toBe(0)
})

it.each([
  ['--watch shop.toml', 'component shop needs the input stage'],
  ['--watch shop.toml --input stage=a --input other=b', 'no watched component declares an input other'],
  ['--watch plain.toml', 'plain.toml has no drift_schedule'],
  ['--watch shop.toml=oci://UPPER/ --input stage=a', 'oci://UPPER/'],
  ['--concurrency 0', 'expected at least 1'],
  ['--jobs /dev/null/jobs.db', '/dev/null/jobs.db cannot be used as a job store'],
])('a runner is not started with %s', async (options, message) => {
  const { code, stderr } = await lading(`runner start --once ${options}`)
  expect(code).not.toBe(0)
  expect(stderr).toContain(message)
})

it('a runner with nothing to do lives on, does what comes, and ends when it is told to', async () => {
  const jobs = join(cli.cwd, 'idle.db')
  const run = fileURLToPath(new URL('../../run.ts', import.meta.url))
  const child = spawn(process.execPath, [run, 'runner', 'start', '--jobs', jobs, '--plain-http'], {
    env: { ...process.env, HOME: cli.cwd },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  while (!said.includes('takes jobs')) await Promise.race([once(child.stderr, 'data'), ended])
  const queued = await lading(
    `build plain.toml --registry oci://${registry.host}/idle --plain-http --detach --jobs ${jobs}`,
  )
  const followed = lading(`jobs logs --follow ${queued.stdout.trim()} --jobs ${jobs}`)
  const first = await Promise.race([followed, ended])
  expect(first).toMatchObject({ stdout: expect.stringContaining('pushed oci://') })
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

it('nothing is left of a build but its artifact and its job', async () => {
  const { code } = await lading(`build plain.toml --registry oci://${registry.host}/plain --plain-http`)
  expect(code).toBe(0)
  const left = readdirSync(join(cli.cwd, '.local/state/lading')).filter((name) => !name.startsWith('jobs.db-'))
  expect(left).toEqual(['jobs.db'])
})
