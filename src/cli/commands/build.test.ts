import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCli } from '../testdata/run-cli.ts'

let root: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'lading-build-'))
  write('base/kustomization.yaml', 'resources: [config.yaml]\n')
  write('base/config.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  level: info\n')
  write('prod/kustomization.yaml', 'namePrefix: prod-\nresources: [../base]\n')
})

afterAll(() => {
  rmSync(root, { recursive: true })
})

it('build prints what an overlay over a base beside it comes to', async () => {
  const { code, stdout } = await runCli({ cwd: root }, 'build', 'prod')
  expect(code).toBe(0)
  expect(stdout).toBe('apiVersion: v1\ndata:\n  level: info\nkind: ConfigMap\nmetadata:\n  name: prod-settings\n')
})

it('build -o json prints the objects as JSON', async () => {
  const { stdout } = await runCli({ cwd: root }, 'build', 'prod', '-o', 'json')
  expect(JSON.parse(stdout)).toMatchObject([{ kind: 'ConfigMap', metadata: { name: 'prod-settings' } }])
})

it('build says in one sentence what is missing', async () => {
  const { code, stdout, stderr } = await runCli({ cwd: root }, 'build', 'nowhere')
  expect(code).toBe(3)
  expect(stdout).toBe('')
  expect(stderr).toContain('nowhere')
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
