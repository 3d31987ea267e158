import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Registry, startRegistry } from '../../../sandbox/index.ts'
import { runCli } from '../../testdata/run-cli.ts'

const secret = 'pa55word-of-an-inline-secret'
let cwd: string
let registry: Registry

beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'lading-jobs-key-'))
  registry = await startRegistry()
  const object = `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: ${secret}, b: {{ .inputs.pin }}}\n`
  const input = '[inputs.pin]\n'
  const component = `type = "kubernetes_manifest"\nname = "a"\nnamespace = "default"\nmanifest = '''\n${object}'''\n${input}`
  writeFileSync(join(cwd, 'a.toml'), component)
})
afterEach(async () => {
  await registry.stop()
  rmSync(cwd, { recursive: true })
})

it('inline Secrets and inputs of jobs are nowhere in the state folder, and the key is in the config folder', async () => {
  const queued = await build('--input pin=4711-0815-pin --detach')
  expect(queued).toMatchObject({ code: 0 })
  const held = [secret, '4711-0815-pin']
  expect(filesWith(held)).toEqual([])
  const started = await lading('runner start --once --plain-http')
  expect(started).toMatchObject({ code: 0 })
  const { stdout } = await lading(`jobs get ${queued.stdout.trim()} -o json`)
  expect(JSON.parse(stdout)).toMatchObject({ state: 'finished' })
  expect(filesWith(held)).toEqual([])
  expect(statSync(join(cwd, 'config', 'lading', 'jobs.key')).mode & 0o777).toBe(0o600)
})

it('jobs of a shared store are read with its key file, and with no other', async () => {
  const queued = await build('--input pin=1 --detach --jobs-key shared.key')
  expect((await lading('jobs list --jobs-key shared.key')).stdout).toContain(queued.stdout.trim())
  const refused = await lading('jobs list')
  expect(refused).toMatchObject({ code: 3, stdout: '' })
  expect(refused.stderr).toContain(`the key file ${join(cwd, 'config', 'lading', 'jobs.key')} does not exist`)
  expect(refused.stderr).toContain('--jobs-key')
  expect(existsSync(join(cwd, 'config'))).toBe(false)
})

function build(more: string) {
  return lading(`build a.toml --registry oci://${registry.host}/a --tag v1 --plain-http ${more}`)
}

function lading(command: string) {
  const env = { HOME: cwd, XDG_CONFIG_HOME: join(cwd, 'config'), XDG_STATE_HOME: join(cwd, 'state') }
  return runCli({ cwd, env }, ...command.split(' '))
}

function filesWith(texts: readonly string[]): string[] {
  const files = readdirSync(join(cwd, 'state'), { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  )
  expect(files.map(({ name }) => name)).toContain('jobs.db')
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => texts.some((text) => readFileSync(file).includes(text)))
}
