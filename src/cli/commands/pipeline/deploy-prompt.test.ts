import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Registry, startRegistry } from '../../../sandbox/index.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'

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

/** Starts a deploy that asks, as a process of its own whose standard input stays open, and waits for the question. */
async function askingDeploy(name: string) {
  const manifest = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`
  cli.write(
    `${name}.toml`,
    `type = "kubernetes_manifest"\nname = "${name}"\nnamespace = "default"\nmanifest = """\n${manifest}"""\n`,
  )
  const run = fileURLToPath(new URL('../../run.ts', import.meta.url))
  const to = ['--registry', `oci://${registry.host}/${name}`, '--plain-http', '--approve', 'prompt']
  const child = spawn(process.execPath, [run, 'deploy', `${name}.toml`, ...to, '--kubeconfig', 'kubeconfig'], {
    cwd: cli.cwd,
    env: { ...process.env, HOME: cli.cwd, LADING_JOBS: join(cli.cwd, `${name}.db`) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  let stdout = ''
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()))
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, stdout, stderr }))
  while (!stderr.includes('Only "yes" does it')) {
    const early = await Promise.race([once(child.stderr, 'data').then(() => undefined), ended])
    if (early !== undefined) throw new Error(`it did not ask: ${early.stderr}`)
  }
  return { child, ended }
}

it('a deploy that was approved ends, although standard input stays open', async () => {
  const { child, ended } = await askingDeploy('yes')
  child.stdin.write('yes\n')
  expect(await ended).toMatchObject({ code: 0, stdout: 'default/yes deployed (revision 1)\n' })
})

it('a deploy that was denied ends, although standard input stays open', async () => {
  const { child, ended } = await askingDeploy('no')
  child.stdin.write('no\n')
  expect(await ended).toMatchObject({ code: 6, stdout: '' })
})

it('a deploy whose standard input ends without an answer is denied', async () => {
  const { child, ended } = await askingDeploy('nobody')
  child.stdin.end()
  expect(await ended).toMatchObject({ code: 6, stdout: '' })
})

it('a deploy that is interrupted while it asks ends at once and applies nothing', async () => {
  const { child, ended } = await askingDeploy('interrupted')
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ code: 130, stdout: '' })
})
