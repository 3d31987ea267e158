import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CliSandbox, openCliSandbox } from '../testdata/cli-sandbox.ts'

let cli: CliSandbox

const config = (name: string, more = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}data: {size: {{ values.size | quote }}}\n`

const pack: Readonly<Record<string, string>> = {
  'Pack.yaml':
    'apiVersion: sherpack/v1\nmetadata: {name: cart, version: 1.2.3}\ndependencies:\n- {name: redis, version: 1.0.0, repository: "", condition: redis.enabled}\n',
  'values.yaml': 'redis: {enabled: true}\n',
  'values.schema.yaml':
    'schemaVersion: sherpack/v1\nproperties:\n  size: {type: integer, default: 2, max: 9}\n  redis: {type: object}\n',
  'templates/_names.j2': '{% macro name(part) %}{{ release.name }}-{{ part }}{% endmacro %}',
  'templates/map.yaml': `{% from '_names.j2' import name %}${config("{{ name('map') }}")}`,
  'templates/hook.yaml': config('{{ release.name }}-hook', '  annotations: {sherpack.io/hook: pre-install}\n'),
  'templates/NOTES.txt': 'Size {{ values.size }} of {{ release.name }}',
  'charts/redis/Pack.yaml': 'apiVersion: sherpack/v1\nmetadata: {name: redis, version: 1.0.0}\n',
  'charts/redis/values.yaml': 'size: 7\n',
  'charts/redis/templates/map.yaml': config('{{ release.name }}-redis'),
}

beforeAll(async () => {
  cli = await openCliSandbox()
  for (const [name, text] of Object.entries(pack)) {
    mkdirSync(dirname(join(cli.cwd, 'cart', name)), { recursive: true })
    cli.write(`cart/${name}`, text)
  }
})
afterAll(() => cli.close())

it('a pack is rendered without a cluster', async () => {
  const { stdout, code } = await cli.lading('template shop cart --set size=3 -o json')
  expect(code).toBe(0)
  const objects = JSON.parse(stdout) as { metadata: { name: string }; data: { size: string } }[]
  expect(objects.map(({ metadata, data }) => [metadata.name, data.size])).toEqual([
    ['shop-redis', '7'],
    ['shop-hook', '3'],
    ['shop-map', '3'],
  ])
})

it('a pack is installed with its hooks and notes, upgraded and uninstalled', async () => {
  const installed = await cli.lading('install shop cart -o json')
  expect(installed.code).toBe(0)
  expect((await cli.lading('get notes shop')).stdout).toContain('Size 2 of shop')
  expect(JSON.parse((await cli.lading('list -o json')).stdout)).toMatchObject([{ name: 'shop', source: 'cart-1.2.3' }])
  const upgraded = await cli.lading('upgrade shop cart --set redis.enabled=false --set size=4')
  expect(upgraded.code).toBe(0)
  expect(upgraded.stderr).toContain('ConfigMap default/shop-redis deleted')
  expect((await cli.lading('get manifest shop')).stdout).toContain('size: "4"')
  expect((await cli.lading('uninstall shop')).code).toBe(0)
})

it('values that the schema refuses, and templates that fail, change nothing', async () => {
  const refused = await cli.lading('install other cart --set size=10')
  expect(refused.code).toBe(3)
  expect(refused.stderr).toContain('size')
  cli.write('cart/templates/map.yaml', "a: 1\nb: {{ fail('not today') }}\n")
  const failed = await cli.lading('install other cart')
  expect(failed.code).toBe(3)
  expect(failed.stderr).toContain('map.yaml:2: not today')
  expect(JSON.parse((await cli.lading('list -o json')).stdout)).toEqual([])
})
