import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeFiles } from '../../../testing/write-files.ts'
import { context, LadingError, silentLog } from '../../core/index.ts'
import { packageChart, readChartFolder } from '../../render/helm/index.ts'
import { renderWorld } from '../../render/world/index.ts'
import type { GivenValues } from '../values/compose-values.ts'
import { parseSet } from '../values/parse-set.ts'
import type { ClusterView, LookupQuery } from './cluster-view.ts'
import { recogniseSource } from './recognise-source.ts'
import type { ChartOptions, Rendered, RenderInput } from './source.ts'

const release = { name: 'shop', namespace: 'prod', revision: 3, isInstall: false, isUpgrade: true }

describe('a chart as a source', () => {
  let root = ''
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'lading-chart-'))
    await write('Chart.yaml', 'apiVersion: v2\nname: web\nversion: 1.2.3\nappVersion: "9"\n')
    await write('values.yaml', 'colour: blue\nsize: 1000000\ngone: soon\n')
  })
  afterEach(async () => rm(root, { recursive: true, force: true }))

  it('gives objects, hooks, CRDs apart, notes, values with their origin, and says what it is', async () => {
    await map('{{ .Values.colour }} {{ .Release.Name }} {{ .Release.Revision }} {{ .Release.IsUpgrade }}')
    await write('templates/hook.yaml', config('early', 'x', 'annotations: {helm.sh/hook: pre-upgrade}'))
    await write('templates/NOTES.txt', 'Hello {{ .Release.Namespace }}\n')
    await write(
      'crds/a.yaml',
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b}\n',
    )
    const rendered = await render({ values: { set: parseSet('colour=red', { flag: 'set' }) } })
    expect(rendered.objects).toMatchObject([
      { metadata: { name: 'map' }, data: { value: 'red shop 3 true' } },
      { metadata: { name: 'early' } },
    ])
    expect(rendered.crds).toMatchObject([{ metadata: { name: 'a.b' } }])
    expect(rendered.notes).toBe('Hello prod\n')
    expect(rendered.values).toMatchObject({
      values: { colour: 'red', size: 1_000_000, gone: 'soon' },
      userValues: { colour: 'red' },
      provenance: { sources: { colour: 'command-line', size: 'chart-default' } },
    })
    const digest = expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string
    expect(rendered.info).toEqual({
      type: 'chart',
      name: 'web',
      version: '1.2.3',
      appVersion: '9',
      origin: root,
      digest,
    })
    expect((await render({}, { skipCrds: true })).crds).toEqual([])
  })

  it('has a digest that covers a chart which it links to, and warns once however often it is rendered', async () => {
    const beside = await mkdtemp(join(tmpdir(), 'lading-chart-'))
    try {
      await map('x')
      await writeFiles(beside, {
        'Chart.yaml': 'apiVersion: v2\nname: linked\nversion: 1.0.0\n',
        'values.yaml': 'a: 1\n',
      })
      await write('charts/.keep', '')
      await symlink(beside, join(root, 'charts/linked'))
      const warnings: string[] = []
      const ctx = context({ log: { ...silentLog, warn: (message) => void warnings.push(message) } })
      const source = await recogniseSource(root, {}, ctx)
      const before = (await source.render({ release }, ctx)).info.digest
      await source.render({ release }, ctx)
      expect(warnings).toEqual([expect.stringContaining('charts/linked is a symlink')])
      await writeFiles(beside, { 'values.yaml': 'a: 2\n' })
      expect((await render({})).info.digest).not.toBe(before)
    } finally {
      await rm(beside, { recursive: true })
    }
  })

  it('has the same digest from its folder and from its archive', async () => {
    await map('x')
    const file = join(root, '..', `${root.slice(root.lastIndexOf('/') + 1)}.tgz`)
    try {
      const packed = packageChart(await readChartFolder(root))
      await writeFile(file, packed.archive)
      const archived = await rendering(file, {}, {})
      expect(archived.objects).toEqual((await render({})).objects)
      await writeFile(join(root, 'Chart.yaml'), packed.chartYaml)
      expect((await render({})).info.digest).toBe(archived.info.digest)
    } finally {
      await rm(file, { force: true })
    }
  })

  it('sees numbers as helm does: floats from files, whole numbers from --set', async () => {
    await map('{{ .Values.size }}')
    const value = async (values: GivenValues) => (await render({ values })).objects[0]?.['data']
    expect(await value({})).toEqual({ value: '1e+06' })
    expect(await value({ set: parseSet('size=1000000', { flag: 'set' }) })).toEqual({ value: '1000000' })
    expect(await value({ set: parseSet('size=1000000', { flag: 'set-json' }) })).toEqual({ value: '1e+06' })
    expect(await value({ files: [{ name: 'v', values: { size: 5_000_000 } }] })).toEqual({ value: '5e+06' })
  })

  it('keeps the old defaults with --reuse-values and takes the new ones with --reset-then-reuse-values', async () => {
    await map('{{ .Values.colour }} {{ .Values.gone }}')
    const previous = {
      values: { colour: 'green', gone: 'past' },
      userValues: { colour: 'green' },
      valuesProvenance: { sources: {} },
    }
    const value = async (mode: GivenValues['mode'] & string) =>
      (await render({ values: { mode, previous } })).objects[0]?.['data']
    expect(await value('reuse')).toEqual({ value: 'green past' })
    expect(await value('reset-then-reuse')).toEqual({ value: 'green soon' })
    expect(await value('reset')).toEqual({ value: 'blue soon' })
    expect(await value('default')).toEqual({ value: 'green soon' })
  })

  it('is told about the cluster, and looks up what it needs in as many rounds as that takes', async () => {
    await map(
      '{{ .Capabilities.KubeVersion }} {{ .Capabilities.APIVersions.Has "x/v1/Y" }} ' +
        '{{ $a := lookup "v1" "ConfigMap" "prod" "a" }}{{ (lookup "v1" "ConfigMap" "prod" (required "b?" $a.data.next)).data.n }}',
    )
    const asked: LookupQuery[] = []
    const found: Record<string, object> = { a: { data: { next: 'b' } }, b: { data: { n: 1_000_000 } } }
    const cluster = view(async (query) => {
      asked.push(query)
      return found[query.name]
    })
    const { objects } = await render({ cluster })
    expect(objects[0]?.['data']).toEqual({ value: 'v1.31.0 true 1000000' })
    expect(asked.map(({ name }) => name)).toEqual(['a', 'b'])
    await expect(render({})).rejects.toThrow('nil pointer evaluating interface {}.next')
  })

  it('fails with what the cluster says where a lookup is refused, and where lookups never end', async () => {
    await map('{{ (lookup "v1" "Secret" "prod" "key").data }}')
    const refusing = view(() => Promise.reject(new LadingError('kube.forbidden', 'you may not read Secrets')))
    await expect(render({ cluster: refusing })).rejects.toThrow('you may not read Secrets')
    await map(
      '{{ $n := "a" }}{{ range until 30 }}{{ $n = ((lookup "v1" "ConfigMap" "prod" $n).data).next | default "a" }}{{ end }}',
    )
    const endless = view(async ({ name }) => ({ data: { next: `${name}a` } }))
    await expect(render({ cluster: endless })).rejects.toThrow('something else each time')
  })

  it('draws the same random values in each round of lookups, and says what it was rendered with only where it used it', async () => {
    await map('{{ (lookup "v1" "ConfigMap" "prod" (randAlpha 9)).data.colour }} {{ randAlpha 9 }}')
    const cluster = view(async () => ({ data: { colour: 'red' } }))
    const world = renderWorld({ seed: 'a', renderedAt: '2026-01-02T03:04:05.000Z' })
    const { objects } = await render({ cluster, world })
    expect(world.used()).toEqual({ seed: 'a' })
    const again = await render({ cluster, world: renderWorld({ seed: 'a' }) })
    expect(again.objects).toEqual(objects)
    expect((await render({ cluster })).objects).not.toEqual(objects)

    await map('{{ ((lookup "v1" "ConfigMap" "prod" "a").data).colour | default (randAlpha 9) }}')
    await render({ cluster, world })
    expect(world.used()).toEqual({ seed: 'a' })
    await map('{{ with lookup "v1" "ConfigMap" "prod" "a" }}{{ .data.colour }}{{ else }}{{ randAlpha 9 }}{{ end }}')
    await render({ cluster, world })
    expect(world.used()).toEqual({})
    await map('{{ now | date "2006" }}')
    await render({ cluster, world })
    expect(world.used()).toEqual({ renderedAt: '2026-01-02T03:04:05.000Z' })
  })

  it('is refused where it is another version than the one that is asked for', async () => {
    await map('x')
    await expect(render({}, { version: '2.0.0' })).rejects.toThrow('is version 1.2.3 of web, not 2.0.0')
    await expect(render({}, { version: '^2' })).rejects.toThrow('is version 1.2.3 of web, not ^2')
    for (const version of ['v1.2.3', '^1.2', '>=1 <2'])
      expect((await render({}, { version })).info.version).toBe('1.2.3')
  })

  function view(lookup: ClusterView['lookup']): ClusterView {
    return { capabilities: async () => ({ kubeVersion: 'v1.31.0', apiVersions: ['x/v1', 'x/v1/Y'] }), lookup }
  }

  async function render(input: Omit<RenderInput, 'release'>, chart: ChartOptions = {}): Promise<Rendered> {
    return rendering(root, input, chart)
  }

  async function rendering(path: string, input: Omit<RenderInput, 'release'>, chart: ChartOptions): Promise<Rendered> {
    const source = await recogniseSource(path, { chart }, context())
    return source.render({ release, ...input }, context())
  }

  async function map(value: string): Promise<void> {
    await write('templates/map.yaml', config('map', value))
  }

  async function write(path: string, text: string): Promise<void> {
    await writeFiles(root, { [path]: text })
  }
})

function config(name: string, value: string, metadata = ''): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  ${metadata}\ndata:\n  value: '${value}'\n`
}
