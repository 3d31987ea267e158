import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { context } from '../../../core/index.ts'
import { describe as describeContent, openRepository, packFiles, pushArtifact } from '../../../oci/index.ts'
import { type Registry, startRegistry } from '../../../sandbox/index.ts'
import { runCli } from '../../testdata/run-cli.ts'

let cwd: string
let registry: Registry
const ctx = context()

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'lading-kinds-'))
  registry = await startRegistry()
  writeFileSync(join(cwd, 'one.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n')
  for (const version of ['1.0.0', '1.1.0']) {
    mkdirSync(join(cwd, version, 'templates'), { recursive: true })
    writeFileSync(join(cwd, version, 'Chart.yaml'), `apiVersion: v2\nname: web\nversion: ${version}\n`)
    writeFileSync(join(cwd, version, 'templates/a.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n')
  }
  writeFileSync(join(cwd, '1.1.0/templates/b.yaml'), '')
})
afterAll(async () => {
  await registry.stop()
  rmSync(cwd, { recursive: true })
})

function lading(command: string) {
  const env = { HOME: cwd, COSIGN_PASSWORD: 'for this test' }
  return runCli({ cwd, env }, ...command.split(' '), '--plain-http')
}

const at = (name: string) => `oci://${registry.host}/${name}`

it('two charts are compared file by file, and the same chart is the same', async () => {
  for (const version of ['1.0.0', '1.1.0']) expect((await lading(`push ${at('charts')} ${version}`)).code).toBe(0)
  const different = await lading(`diff-artifact ${at('charts/web')}:1.0.0 ${at('charts/web')}:1.1.0`)
  expect(different).toMatchObject({ code: 2, stdout: '~ web/Chart.yaml\n+ web/templates/b.yaml\n' })
  const same = await lading(`diff-artifact ${at('charts/web')}:1.0.0 ${at('charts/web')}:1.0.0`)
  expect(same).toMatchObject({ code: 0, stdout: '' })
  const inspected = await lading(`inspect ${at('charts/web')}:1.1.0`)
  expect(inspected.stdout).toContain('format    helm (chart)\n')
  expect(inspected.stdout).toContain('file      web/templates/b.yaml\n')
})

it('objects that are rendered for no release are pushed with a warning, and for a release with its name', async () => {
  mkdirSync(join(cwd, 'named/templates'), { recursive: true })
  writeFileSync(join(cwd, 'named/Chart.yaml'), 'apiVersion: v2\nname: named\nversion: 1.0.0\n')
  const template = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\n'
  writeFileSync(join(cwd, 'named/templates/a.yaml'), template)
  const warned = await lading(`push ${at('named')}:v1 named --render`)
  expect(warned.code).toBe(0)
  expect(warned.stderr).toContain('rendered for no release: give --release-name')
  const named = await lading(`push ${at('named')}:v2 named --render --release-name shop`)
  expect(named.stderr).not.toContain('--release-name')
  expect((await lading(`inspect ${at('named')}:v2`)).stdout).toContain('shop')
  const asItIs = await lading(`push ${at('charts')} named --release-name shop`)
  expect(asItIs).toMatchObject({ code: 2, stderr: expect.stringContaining('--release-name would do nothing') })
})

it('a tree that has to be built is inspected and compared by its files', async () => {
  const target = openRepository(`${registry.host}/tree`, { plainHttp: true })
  for (const [tag, text] of [
    ['v1', 'resources: [a.yaml]\n'],
    ['v2', 'resources: [b.yaml]\n'],
  ] as const) {
    const files = new Map([['kustomization.yaml', { content: Buffer.from(text) }]])
    await pushArtifact(target, await packFiles(files), tag, ctx)
  }
  await target.close()
  const different = await lading(`diff-artifact ${at('tree')}:v1 ${at('tree')}:v2`)
  expect(different).toMatchObject({ code: 2, stdout: '~ kustomization.yaml\n' })
})

it('a repository of many things is listed, what Lading does not read included', async () => {
  for (const tag of ['a', 'b', 'c']) await lading(`push ${at('mixed')}:${tag} one.yaml`)
  const listed = await lading(`artifacts ${at('mixed')} -o json`)
  expect((JSON.parse(listed.stdout) as { tag: string }[]).map(({ tag }) => tag)).toEqual(['a', 'b', 'c'])
})

it('signatures go along with --referrers, and hold where they arrive', async () => {
  await runCli({ cwd, env: { COSIGN_PASSWORD: 'for this test' } }, 'generate-key', 'mine')
  await lading(`push ${at('origin')}:v1 one.yaml --sign mine.key`)
  await lading(`mirror ${at('origin')}:v1 ${at('plain')}:v1`)
  expect((await lading(`verify ${at('plain')}:v1 --key mine.pub`)).stderr).toContain('is not signed')
  expect((await lading(`mirror ${at('origin')}:v1 ${at('plain')}:v1 --referrers`)).code).toBe(0)
  expect((await lading(`verify ${at('plain')}:v1 --key mine.pub`)).code).toBe(0)
  await lading(`mirror ${at('plain')}:v1 oci-layout:layout --referrers`)
  expect((await lading('verify oci-layout:layout:v1 --key mine.pub')).code).toBe(0)
})

it('nothing is written to a digest', async () => {
  const { digest } = describeContent('a/b', Buffer.from('other'))
  const pushed = await lading(`push ${at('pinned')}@${digest} one.yaml`)
  expect(pushed).toMatchObject({ code: 2, stderr: expect.stringContaining('names a digest') })
  await lading(`push ${at('pinned')}:v1 one.yaml`)
  const mirrored = await lading(`mirror ${at('pinned')}:v1 ${at('elsewhere')}@${digest}`)
  expect(mirrored).toMatchObject({ code: 2, stderr: expect.stringContaining('names a digest') })
})
