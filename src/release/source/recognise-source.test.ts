import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { context, silentLog } from '../../core/index.ts'
import { parseSet } from '../values/parse-set.ts'
import { recogniseSource } from './recognise-source.ts'
import type { Rendered, SourceOptions } from './source.ts'

const object = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`
const release = { name: 'shop', namespace: 'prod', revision: 1, isInstall: true, isUpgrade: false }

describe('a source', () => {
  let root = ''
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'lading-source-'))
  })
  afterEach(async () => rm(root, { recursive: true, force: true }))

  async function write(path: string, content: string | Buffer): Promise<string> {
    const file = join(root, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
    return file
  }

  async function render(text: string, options: SourceOptions = {}): Promise<Rendered> {
    const source = await recogniseSource(text, options, context())
    return source.render({ release }, context())
  }

  const names = ({ objects }: Rendered) => objects.map(({ metadata }) => metadata.name)

  it('is a manifest file', async () => {
    const file = await write('app.yaml', `${object('a')}---\n${object('b')}`)
    const rendered = await render(file)
    expect(names(rendered)).toEqual(['a', 'b'])
    expect(rendered.info).toEqual({
      type: 'manifest',
      name: 'app',
      origin: file,
      digest: expect.stringMatching(/^sha256:[\da-f]{64}$/),
    })
    expect(rendered.values).toEqual({ values: {}, userValues: {}, provenance: { sources: {} } })
  })

  it('is a folder of manifests, named after the folder', async () => {
    await write('app/b.yaml', object('b'))
    await write('app/a.json', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}')
    await write('app/deep/c.yaml', object('c'))
    const rendered = await render(`${join(root, 'app')}/`)
    expect(names(rendered)).toEqual(['a', 'b'])
    expect(rendered.info.name).toBe('app')
    expect(names(await render(join(root, 'app'), { recursive: true }))).toEqual(['a', 'b', 'c'])
  })

  it('is standard input, which is read once and rendered as often as needed', async () => {
    const stdin = Readable.from([object('a')])
    const source = await recogniseSource('-', { stdin }, context())
    const first = await source.render({ release }, context())
    expect(first.info).toMatchObject({ type: 'manifest', name: 'stdin', origin: '-' })
    expect(await source.render({ release }, context())).toEqual(first)
    await expect(render('-')).rejects.toMatchObject({ code: 'usage.invalid' })
  })

  it('has the digest of its objects, wherever and in whatever order they stand', async () => {
    const digest = async (text: string) => (await render(text)).info.digest
    const first = await digest(await write('one/app.yaml', `${object('a')}---\n${object('b')}`))
    await write('two/1.yaml', `# other\n${object('b')}`)
    await write('two/2.yaml', 'kind: ConfigMap\nmetadata:\n  name: a\napiVersion: v1\n')
    expect(await digest(join(root, 'two'))).toBe(first)
    expect(await digest(await write('three.yaml', object('a')))).not.toBe(first)
    expect(await digest(await write('four.yaml', `${object('a')}data: {b: c}\n---\n${object('b')}`))).not.toBe(first)
  })

  it('keeps the values that were given, and says that a manifest does not use them', async () => {
    const warnings: string[] = []
    const log = { ...silentLog, warn: (message: string) => void warnings.push(message) }
    const source = await recogniseSource(await write('app.yaml', object('a')), {}, context())
    const given = { set: parseSet('a.b=1', { flag: 'set' }) }
    const { values } = await source.render({ release, values: given }, context({ log }))
    expect(values).toEqual({
      values: { a: { b: 1 } },
      userValues: { a: { b: 1 } },
      provenance: { sources: { 'a.b': 'command-line' }, origins: { 'a.b': '--set a.b=1' } },
    })
    expect(warnings).toEqual(['a manifest does not use values: they are only recorded'])
  })

  it('that is a folder of a pack is rendered with its values; for Pack.yaml alone its folder is named', async () => {
    const file = await write(
      'app/Pack.yaml',
      'apiVersion: sherpack/v1\nmetadata: {name: app, version: 1.2.3, appVersion: "4"}\n',
    )
    await write(
      'app/values.schema.yaml',
      'schemaVersion: sherpack/v1\nproperties: {a: {type: string, default: x}, b: {type: string}}\n',
    )
    await write('app/values.yaml', 'b: why\nc: z\n')
    await write('app/templates/a.yaml', object('{{ values.a }}-{{ values.b }}-{{ values.c }}-{{ release.name }}'))
    await write('app/templates/NOTES.txt', 'in {{ release.namespace }}')
    const source = await recogniseSource(join(root, 'app'), {}, context())
    const given = { set: parseSet('c=w', { flag: 'set' }) }
    const rendered = await source.render({ release, values: given }, context())
    expect(names(rendered)).toEqual(['x-why-w-shop'])
    expect(rendered).toMatchObject({
      notes: 'in prod',
      info: { type: 'pack', name: 'app', version: '1.2.3', appVersion: '4', digest: expect.stringMatching(/^sha256:/) },
      values: {
        userValues: { c: 'w' },
        provenance: { sources: { a: 'schema-default', b: 'pack-default', c: 'command-line' } },
      },
    })
    await expect(render(file)).rejects.toMatchObject({
      code: 'source.unsupported',
      details: { kind: 'pack', source: file },
    })
  })

  it('that is a pack looks up the cluster that it is rendered for', async () => {
    await write('app/Pack.yaml', 'apiVersion: sherpack/v1\nmetadata: {name: app, version: 1.2.3}\n')
    await write(
      'app/templates/a.yaml',
      object('{{ lookup("v1", "Secret", "prod", "s").metadata.name | default("none") }}'),
    )
    const source = await recogniseSource(join(root, 'app'), {}, context())
    expect(names(await source.render({ release }, context()))).toEqual(['none'])
    const cluster = {
      capabilities: async () => ({ kubeVersion: 'v1.35.0', apiVersions: [] }),
      lookup: async ({ name }: { name: string }) => ({ metadata: { name: `found-${name}` } }),
    }
    expect(names(await source.render({ release, cluster }, context()))).toEqual(['found-s'])
  })

  it('that was fetched from other hosts says in its info what it was', async () => {
    await write('app/kustomization.yaml', 'resources: [https://files.example/a.yaml]\n')
    const record = { type: 'file', url: 'https://files.example/a.yaml', digest: 'sha256:0' } as const
    const content = Buffer.from(object('far'))
    const openRemote: NonNullable<SourceOptions['openRemote']> = async () => async () => ({
      type: 'file',
      content,
      record,
    })
    const rendered = await render(join(root, 'app'), { remote: { hosts: ['files.example'] }, openRemote })
    expect(names(rendered)).toEqual(['far'])
    expect(rendered.info.remotes).toEqual([record])
    await expect(render(join(root, 'app'), { openRemote })).rejects.toMatchObject({ code: 'kustomize.refused' })
  })

  it.for(['kustomization.yaml', 'kustomization.yml', 'Kustomization'])(
    'that is a folder with a %s is built; for that file alone its folder is named',
    async (marker) => {
      await write('base/kustomization.yaml', 'resources: [a.yaml]\n')
      await write('base/a.yaml', object('a'))
      const file = await write(`app/${marker}`, 'namePrefix: my-\nresources: [../base]\n')
      const { objects, info } = await render(join(root, 'app'))
      expect(objects.map(({ metadata }) => metadata.name)).toEqual(['my-a'])
      expect(info).toMatchObject({ type: 'kustomize', name: 'app', digest: expect.stringMatching(/^sha256:/) })
      await expect(render(file)).rejects.toThrow(`give its folder, ${join(root, 'app')}`)
    },
  )

  it('that is an archive, by its spelling or by its content, is read as that of a chart', async () => {
    for (const name of ['app.tgz', 'app-1.0.tar.gz', 'app']) {
      const file = await write(name, gzipSync('x'))
      await expect(render(file)).rejects.toMatchObject({
        code: 'archive.invalid',
        message: expect.stringContaining(file),
      })
    }
  })

  it('that is a URL is refused by name, and credentials are never shown', async () => {
    const details = { kind: 'url', source: 'HTTPS://example.com/app.yaml' }
    await expect(render('HTTPS://me:hush@example.com/app.yaml?token=hush')).rejects.toMatchObject({
      code: 'source.unsupported',
      message: expect.not.stringContaining('hush'),
      details,
    })
    await expect(render('oci://me:hush@registry.example/app:1')).rejects.toMatchObject({
      code: 'oci.reference-invalid',
      message: expect.not.stringContaining('hush'),
    })
  })

  it('of an unknown scheme is refused without its address', async () => {
    await expect(render('git+ssh://me:hush@example.com/app')).rejects.toMatchObject({
      code: 'source.unsupported',
      message: 'sources of git+ssh:// are not known; oci:// and https:// are',
    })
  })

  it('that can be several things is refused, unless told what it is', async () => {
    await write('app/Chart.yaml', 'name: app\n')
    await write('app/kustomization.yaml', 'resources: []\n')
    const folder = join(root, 'app')
    await expect(render(folder)).rejects.toMatchObject({
      code: 'source.unsupported',
      details: { found: ['Chart.yaml', 'kustomization.yaml'] },
    })
    await expect(render(folder, { kind: 'chart' })).rejects.toMatchObject({ code: 'chart.invalid' })
  })

  it('that holds nothing is refused: an upgrade to it would delete everything', async () => {
    await write('none/README.md', 'hello')
    await expect(render(join(root, 'none'))).rejects.toMatchObject({
      code: 'source.empty',
      message: `${join(root, 'none')} holds no manifest (.yaml, .yml, .json), kustomization.yaml, Chart.yaml, Pack.yaml or source.ts`,
    })
    await expect(render(join(root, 'none'), { recursive: true })).rejects.toMatchObject({ code: 'source.empty' })
    await expect(render(await write('empty.yaml', '---\n# nothing\n'))).rejects.toMatchObject({ code: 'source.empty' })
    await expect(render('-', { stdin: Readable.from([]) })).rejects.toMatchObject({
      code: 'source.empty',
      message: 'standard input holds no objects',
    })
  })

  it('that is missing, or leads out of its folder, is refused', async () => {
    await expect(render(join(root, 'none'))).rejects.toMatchObject({ code: 'file.not-found' })
    await expect(render('')).rejects.toMatchObject({ code: 'usage.invalid' })
    await write('secret.yaml', object('secret'))
    await write('app/a.yaml', object('a'))
    await symlink('../secret.yaml', join(root, 'app/out.yaml'))
    await expect(render(join(root, 'app'))).rejects.toMatchObject({ code: 'file.unreadable' })
  })
})
