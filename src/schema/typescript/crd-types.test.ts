import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { crdTypes } from './crd-types.ts'
import { otherShops, settings, shops } from './testdata/shop-crds.ts'

describe('TypeScript for custom kinds', () => {
  it('has a type for each served version, with everything that the schema says', () => {
    const { text, kinds } = crdTypes([shops])
    expect(kinds).toEqual(['shop.example/v1/Shop', 'shop.example/v1beta1/Shop'])
    expect(text).toMatchSnapshot()
  })

  it('leaves descriptions out when they are not wanted', () => {
    const { text } = crdTypes([shops], { descriptions: false })
    expect(text).toContain('  size: number\n')
    expect(text).not.toContain('shelves')
    expect(text).not.toContain('@default')
  })

  it('is the same for any order of the CRDs, and names kinds of several groups by their group', () => {
    const { text } = crdTypes([shops, settings, otherShops])
    expect(crdTypes([otherShops, shops, settings]).text).toBe(text)
    expect(text.match(/^export type \w+/gm)).toEqual([
      'export type MarketExampleShop',
      'export type Setting',
      'export type ShopExampleShop',
      'export type ShopExampleShopSpec',
      'export type ShopExampleShopStatus',
      'export type ShopExampleShopV1beta1',
      'export type ShopExampleShopV1beta1Spec',
    ])
  })

  it('keeps the fields of the metadata that a CRD does not narrow', () => {
    expect(crdTypes([settings]).text).toContain("  metadata: NamedObjectMeta & {\n    name?: 'default'\n  }\n")
  })

  it('chooses CRDs by name, kind or group, and says which there are', () => {
    const all = [shops, settings, otherShops]
    expect(crdTypes(all, { only: ['settings.shop.example'] }).kinds).toEqual(['shop.example/v1/Setting'])
    expect(crdTypes(all, { only: ['market.example', 'Setting'] }).kinds).toEqual([
      'market.example/v1/Shop',
      'shop.example/v1/Setting',
    ])
    expect(() => crdTypes(all, { only: ['Shopp'] })).toThrow(
      'no CustomResourceDefinition matches Shopp: there are settings.shop.example, shops.market.example, shops.shop.example',
    )
    expect(() => crdTypes([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }])).toThrow(
      expect.objectContaining({ code: 'kube.unknown-kind' }),
    )
  })

  it('never writes code from the names of a CRD', () => {
    const hostile = structuredClone(shops)
    const spec = hostile['spec'] as { names: { kind: string } }
    spec.names.kind = "Shop'] = {}; alert(1) //"
    const { text } = crdTypes([hostile])
    expect(text).toContain('export type Shopalert1 = {')
    expect(text).toContain(`  kind: "Shop'] = {}; alert(1) //"`)
    expect(compile(text, '').output).toBe('')
  })

  it('compiles under strict, and KubeObject knows the kinds', () => {
    const use = [
      "import type { KubeObject } from 'lading/core'",
      "const shop: KubeObject<'shop.example/v1', 'Shop'> = {",
      "  apiVersion: 'shop.example/v1', kind: 'Shop', metadata: { name: 'a', labels: {} },",
      "  spec: { size: 1, 'class-name': 'x', port: '80', note: null, settings: { colour: 'red', more: 1 }, extra: [1],",
      "    templates: [{ apiVersion: 'v1', kind: 'Pod', spec: { x: true } }] },",
      '}',
      'const untyped: KubeObject = shop',
      '// @ts-expect-error -- a number as text',
      "shop.spec.size = '3'",
      '// @ts-expect-error -- no such value',
      "shop.spec.tier = 'gold'",
      '// @ts-expect-error -- the two enums have only b in common',
      "shop.spec.mode = 'a'",
      '// @ts-expect-error -- the spec is required',
      "const none: KubeObject<'shop.example/v1', 'Shop'> = { apiVersion: 'shop.example/v1', kind: 'Shop', metadata: { name: 'a' } }",
      '// @ts-expect-error -- the only name',
      "const named: KubeObject<'shop.example/v1', 'Setting'>['metadata']['name'] = 'other'",
      "const free: KubeObject<'shop.example/v1', 'Setting'> = {",
      "  apiVersion: 'shop.example/v1', kind: 'Setting', metadata: { name: 'default', labels: {} }, anything: 1 }",
      'export { free, named, none, shop, untyped }',
    ].join('\n')
    expect(compile(crdTypes([shops, settings]).text, use).output).toBe('')
  })
})

/** Compiles a written module and one that uses it, as an application with strict settings would. */
function compile(types: string, use: string): { output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'lading-types-'))
  const source = fileURLToPath(new URL('../..', import.meta.url))
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable'],
    module: 'nodenext',
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(source, '../node_modules/@types')],
    paths: { 'lading/kinds': [`${source}core/kinds/index.ts`], 'lading/core': [`${source}core/objects/object.ts`] },
  }
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    writeFileSync(join(folder, 'crds.ts'), types)
    writeFileSync(join(folder, 'use.ts'), `import './crds.ts'\n${use}\n`)
    const tsc = join(source, '../node_modules/typescript/bin/tsc')
    const { stdout, stderr, status } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
    return { output: status === 0 ? stdout : `${stdout}${stderr} (exit ${status})` }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
