import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { context } from '../../../core/index.ts'
import {
  type ArchiveFile,
  gzip,
  openRepository,
  packFiles,
  packTar,
  parseReference,
  pushArtifact,
} from '../../../oci/index.ts'
import { startRegistry } from '../../../sandbox/index.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'

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
  const gone = await cli.lading('uninstall shop')
  expect(gone.code).toBe(0)
  expect(gone.stdout).not.toContain('of shop')
})

it('a pack is read from the archive that Sherpack packs, held to its MANIFEST', async () => {
  await writeArchive('cart.tar.gz', pack, manifestOf(pack))
  const fromFolder = await cli.lading('template shop cart -o json')
  expect(await cli.lading('template shop cart.tar.gz -o json')).toEqual(fromFolder)
  const installed = await cli.lading('install packed cart.tar.gz -o json')
  expect(JSON.parse(installed.stdout)).toMatchObject({ outcome: 'deployed', source: 'cart-1.2.3' })
  // The same files are the same source, wherever they lie.
  expect(JSON.parse((await cli.lading('upgrade packed cart -o json')).stdout)).toMatchObject({ outcome: 'unchanged' })
  await cli.lading('uninstall packed')

  const changed = { ...pack, 'values.yaml': 'redis: {enabled: false}\n' }
  await writeArchive('changed.tar.gz', changed, manifestOf(pack))
  expect(await cli.lading('template shop changed.tar.gz')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('values.yaml is not what it was when the pack was packed'),
  })
  const { 'values.yaml': _, ...fewer } = pack
  await writeArchive('fewer.tar.gz', fewer, manifestOf(pack))
  expect((await cli.lading('template shop fewer.tar.gz')).stderr).toContain('values.yaml is missing in the archive')
  await writeArchive('cut.tar.gz', fewer, manifestOf(pack).replace(/^values\.yaml .*\n/m, ''))
  expect((await cli.lading('template shop cut.tar.gz')).stderr).toContain('its digest is not that of its files')
  await writeArchive('plain.tgz', pack)
  expect(await cli.lading('template shop plain.tgz -o json')).toEqual(fromFolder)
})

it('a pack is released from a registry', async () => {
  const registry = await startRegistry()
  onTestFinished(() => registry.stop())
  const target = openRepository(parseReference(`oci://${registry.host}/packs/cart`), { plainHttp: true })
  await pushArtifact(target, await packFiles(filesOf(pack), { format: 'flux' }), '1.2.3', context())
  await target.close()
  const at = `oci://${registry.host}/packs/cart:1.2.3 --plain-http`
  const { stdout } = await cli.lading(`template shop ${at} --set size=3 -o json`)
  expect(stdout).toBe((await cli.lading('template shop cart --set size=3 -o json')).stdout)
  const installed = await cli.lading(`install remote ${at} -o json`)
  expect(JSON.parse(installed.stdout)).toMatchObject({ outcome: 'deployed', source: 'cart-1.2.3' })
  await cli.lading('uninstall remote')

  await writeArchive('cart.tgz', pack)
  const packed = `push oci://${registry.host}/packs/objects:v1 cart.tgz --plain-http`
  expect((await cli.lading(packed)).stderr).toContain('cart.tgz is a pack, which Sherpack pushes')
  expect((await cli.lading(`${packed} --render`)).code).toBe(0)
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

type Files = Readonly<Record<string, string>>

function filesOf(files: Files): Map<string, ArchiveFile> {
  return new Map(Object.entries(files).map(([name, text]) => [name, { content: Buffer.from(text) }]))
}

async function writeArchive(name: string, files: Files, manifest?: string): Promise<void> {
  const all = { ...(manifest === undefined ? {} : { MANIFEST: manifest }), ...files }
  writeFileSync(join(cli.cwd, name), await gzip(packTar(filesOf(all))))
}

/** Written as Sherpack writes it. */
function manifestOf(files: Files): string {
  const sum = (text: string) => createHash('sha256').update(text).digest('hex')
  const rows = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))
  const listed = rows.map(([name, text]) => `${name} sha256:${sum(text)}\n`).join('')
  const total = sum(rows.map(([name, text]) => `${name}:${sum(text)}\n`).join(''))
  const head = 'sherpack-manifest-version: 1\nname: cart\nversion: 1.2.3\ncreated: 2026-01-01T00:00:00+00:00\n'
  return `${head}\n[files]\n${listed}\n[digest]\nsha256:${total}`
}
