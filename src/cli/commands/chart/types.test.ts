import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeDocuments } from '../../../core/yaml/index.ts'
import type { KubeObject } from '../../../core/index.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'
import { type CliResult, runCli } from '../../testdata/run-cli.ts'

const shops = crd('Shop', 'shops', {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: { type: 'object', properties: { size: { type: 'integer', description: 'How many shelves there are.' } } },
  },
})
const settings = crd('Setting', 'settings', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true })

let cwd: string
const types = (...argv: readonly string[]): Promise<CliResult> => runCli({ cwd }, 'types', ...argv)

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'lading-types-'))
  mkdirSync(join(cwd, 'crds/nested'), { recursive: true })
  writeFileSync(join(cwd, 'crds/shops.yaml'), writeDocuments([shops]))
  writeFileSync(join(cwd, 'crds/nested/settings.yaml'), writeDocuments([settings]))
  mkdirSync(join(cwd, 'chart/crds'), { recursive: true })
  writeFileSync(join(cwd, 'chart/Chart.yaml'), 'apiVersion: v2\nname: shop\nversion: 1.0.0\n')
  writeFileSync(join(cwd, 'chart/crds/all.yaml'), writeDocuments([shops, settings]))
})
afterAll(() => rmSync(cwd, { recursive: true }))

describe('lading types', () => {
  it('writes the same for a folder, a chart, its archive and a pipe', async () => {
    const folder = await types('crds')
    expect(folder).toMatchObject({ code: 0, stderr: '' })
    expect(folder.stdout).toContain("    'shop.example/v1/Setting': Setting\n    'shop.example/v1/Shop': Shop\n")
    expect((await types('chart')).stdout).toBe(folder.stdout)
    expect((await runCli({ cwd }, 'package', 'chart')).code).toBe(0)
    expect((await types('shop-1.0.0.tgz')).stdout).toBe(folder.stdout)
    const piped = await runCli({ cwd, stdin: writeDocuments([settings, shops]) }, 'types', '-')
    expect(piped.stdout).toBe(folder.stdout)
  })

  it('writes a file with --out, and prints what is in it', async () => {
    const written = await types('crds', '--crd', 'Setting', '--out', 'src/crds.ts')
    expect(written).toMatchObject({ code: 0, stdout: 'shop.example/v1/Setting\n' })
    const text = readFileSync(join(cwd, 'src/crds.ts'), 'utf8')
    expect(text).toContain('export type Setting = {')
    expect(text).not.toContain('Shop')
    const again = await types('crds', '--crd', 'Setting', '--out', 'src/crds.ts', '-o', 'json')
    expect(JSON.parse(again.stdout)).toEqual({ file: 'src/crds.ts', kinds: ['shop.example/v1/Setting'] })
  })

  it('leaves descriptions out with --no-descriptions', async () => {
    expect((await types('crds')).stdout).toContain('How many shelves there are.')
    expect((await types('crds', '--no-descriptions')).stdout).not.toContain('shelves')
  })

  it('says which CRDs there are when one is missing', async () => {
    const { code, stderr } = await types('crds', '--crd', 'Shopp')
    expect(code).toBe(8)
    expect(stderr).toContain(
      'no CustomResourceDefinition matches Shopp: there are settings.shop.example, shops.shop.example',
    )
    expect((await types('nowhere')).stderr).toContain('nowhere')
  })
})

describe('lading types without a source', () => {
  let cli: CliSandbox
  beforeAll(async () => {
    cli = await openCliSandbox()
    cli.write('crds.yaml', writeDocuments([shops, settings]))
  })
  afterAll(() => cli.close())

  it('reads the CRDs of the cluster', async () => {
    expect((await cli.lading('install shop crds.yaml')).code).toBe(0)
    const { code, stdout } = await cli.lading('types --crd shop.example')
    expect(code).toBe(0)
    expect(stdout).toBe((await types('crds')).stdout)
  })
})

function crd(kind: string, plural: string, openAPIV3Schema: Record<string, unknown>): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.shop.example` },
    spec: {
      group: 'shop.example',
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  }
}
