import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CliResult, type CliWorld, runCli } from '../../testdata/run-cli.ts'

let root: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'lading-template-'))
  write('deploy/config.yaml', config('settings'))
  write('deploy/hook.yaml', `${config('early')}  annotations: {helm.sh/hook: pre-install}\n`)
  write('base/kustomization.yaml', 'resources: [config.yaml]\n')
  write('base/config.yaml', config('settings'))
  write('prod/kustomization.yaml', 'namePrefix: prod-\nresources: [../base]\n')
})

afterAll(() => {
  rmSync(root, { recursive: true })
})

it('template prints what a source renders to, with and without a name, and asks no cluster', async () => {
  const { code, stdout, stderr } = await template('shop', 'deploy', '--no-hooks')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('name: settings')
  expect(stdout).not.toContain('name: early')
  expect((await template('deploy', '--no-hooks')).stdout).toBe(stdout)
  expect((await template('shop', 'deploy')).stdout).toContain('name: early')
})

it('template -o json prints the objects as JSON, and - reads standard input', async () => {
  const { stdout } = await runCli({ cwd: root, stdin: config('piped') }, 'template', '-', '-o', 'json')
  expect(JSON.parse(stdout)).toMatchObject([{ kind: 'ConfigMap', metadata: { name: 'piped' } }])
})

it('template -k builds a kustomization', async () => {
  expect((await template('-k', 'prod')).stdout).toContain('name: prod-settings')
  expect((await template('shop', '-k', 'prod')).stdout).toContain('name: prod-settings')
  expect(await template('-k', 'deploy')).toMatchObject({ code: 3, stdout: '' })
})

it('template says in one sentence what is missing', async () => {
  expect(await template()).toMatchObject({ code: 2, stdout: '' })
  expect((await template()).stderr).toContain('give a source to render')
  expect((await template('shop', 'deploy', '-k', 'prod')).stderr).toContain('either a source or --kustomize')
  expect((await template('nowhere')).stderr).toContain('nowhere does not exist')
})

function template(...argv: string[]): Promise<CliResult> {
  // Without a home and a kubeconfig there is no cluster to ask.
  const world: CliWorld = { cwd: root, env: {} }
  return runCli(world, 'template', ...argv)
}

function config(name: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
