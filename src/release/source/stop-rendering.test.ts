import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeFiles } from '../../../testing/write-files.ts'
import { context } from '../../core/index.ts'
import { lintChart, loadChart, renderChart, writeTemplate } from '../../render/helm/index.ts'
import { renderWorld } from '../../render/world/index.ts'
import type { ClusterView, LookupQuery } from './cluster-view.ts'
import { recogniseSource } from './recognise-source.ts'
import type { Rendered, RenderInput, SourceOptions } from './source.ts'

const release = { name: 'shop', namespace: 'prod', revision: 1, isInstall: true, isUpgrade: false }
const chartFile = 'apiVersion: v2\nname: web\nversion: 1.0.0\n'
const map = (value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {value: '${value}'}\n`
const endless = (body: string): string =>
  map(`{{ range until 1000000 }}{{ range until 1000000 }}${body}{{ end }}{{ end }}`)
/** So short that everything that computes moves to a worker; the second of the default shows in the tests of the command line. */
const inlineMs = 1
/** Longer than that on any machine. */
const long = '{{ range until 2 }}{{ bcrypt "x" | trunc 0 }}{{ end }}'

describe('a source whose templates only compute', () => {
  let root = ''
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'lading-stop-'))
  })
  afterEach(async () => rm(root, { recursive: true, force: true }))

  it.each([
    ['bcrypt', '{{ bcrypt "x" | trunc 0 }}'],
    ['htpasswd', '{{ htpasswd "a" "b" | trunc 0 }}'],
    ['derivePassword', '{{ derivePassword 1 "long" "password" "user" "example.com" | trunc 0 }}'],
    ['genPrivateKey', '{{ genPrivateKey "ed25519" | trunc 0 }}'],
    ['randAlphaNum', '{{ randAlphaNum 60000000 | trunc 0 }}'],
    ['uniq', '{{ until 1000000 | uniq | len | toString | trunc 0 }}'],
    ['nothing', ''],
  ])('is stopped while a chart calls %s again and again', async (name, body) => {
    // A chart may make a hundred keys.
    const text =
      name === 'genPrivateKey'
        ? map(`{{ range until 100 }}{{ genPrivateKey "dsa" | trunc 0 }}{{ end }}`)
        : endless(body)
    await write({ 'Chart.yaml': chartFile, 'templates/a.yaml': text })
    await expect(stopped((signal) => render({}, {}, signal))).rejects.toMatchObject({
      code: 'cancelled',
      message: 'the operation was cancelled',
    })
  })

  it('is stopped while a pack goes through nested loops', async () => {
    const loop = '{% for a in range(10000) %}{{ tpl("{% for b in range(10000) %}{% endfor %}", {}) }}{% endfor %}'
    await write({ 'Pack.yaml': packFile, 'values.yaml': '{}', 'templates/a.yaml': map(loop) })
    await expect(stopped((signal) => render({}, {}, signal))).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('is stopped while a kustomization inflates a chart', async () => {
    await write({
      'kustomization.yaml': 'helmCharts: [{name: web, releaseName: web}]\n',
      'charts/web/Chart.yaml': chartFile,
      'charts/web/values.yaml': '{}',
      'charts/web/templates/a.yaml': endless(''),
    })
    await expect(stopped((signal) => render({}, { enableHelm: true }, signal))).rejects.toMatchObject({
      code: 'cancelled',
    })
  })

  it('is stopped while it is linted', async () => {
    await write({ 'Chart.yaml': chartFile, 'templates/a.yaml': endless('') })
    await expect(stopped((signal) => lintChart(root, {}, context({ signal })))).rejects.toMatchObject({
      code: 'cancelled',
    })
  })

  it('lets other work go on meanwhile', async () => {
    await write({ 'Chart.yaml': chartFile, 'templates/a.yaml': endless('') })
    const controller = new AbortController()
    const rendering = render({}, {}, controller.signal)
    const failed = rendering.catch((error: unknown) => error)
    await begun()
    // Each turn of the event loop happens while the chart renders.
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
    controller.abort()
    expect(await failed).toMatchObject({ code: 'cancelled' })
  })

  it('comes to the same in a worker, and its seed is recorded as used', async () => {
    const text = map(`${long}{{ randAlphaNum 12 }} {{ uuidv4 }} {{ now | unixEpoch }}`)
    const files = {
      'Chart.yaml': chartFile,
      'templates/a.yaml': text,
      'templates/NOTES.txt': 'Hello {{ .Release.Name }}',
    }
    await write(files)
    const seed = { seed: 'a', renderedAt: '2026-01-02T03:04:05.000Z' }
    const world = renderWorld(seed)
    const [rendered] = await Promise.all([render({ world }), begun()])
    const chart = loadChart(new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)])))
    const { name, namespace, revision } = release
    const here = renderChart(chart, { release: { name, namespace, revision }, environment: renderWorld(seed).begin() })
    expect(rendered.writeTemplate?.({})).toBe(writeTemplate(here))
    expect(rendered.objects).toEqual(here.objects)
    expect(rendered.notes).toBe('Hello shop')
    expect(world.used()).toEqual(seed)
  })

  it('looks things up from a worker, one after the other', async () => {
    const first = '{{ $name := dig "data" "next" "" (lookup "v1" "ConfigMap" "prod" "first") }}'
    const text = `${first}${map(`${long}{{ with $name }}{{ (lookup "v1" "ConfigMap" "prod" .).data.count }}{{ end }}`)}`
    await write({ 'Chart.yaml': chartFile, 'templates/a.yaml': text })
    const asked: string[] = []
    const [rendered] = await Promise.all([render({ cluster: view(asked) }), begun()])
    expect(rendered.objects).toMatchObject([{ data: { value: '12000000' } }])
    expect(asked).toEqual(['first', 'second'])
  })

  it('fails in a worker with the place in the template', async () => {
    await write({ 'Chart.yaml': chartFile, 'templates/a.yaml': `a: 1\n${long}{{ fail "not today" }}\n` })
    const failing = render({}).catch((error: unknown) => error)
    await begun()
    expect(await failing).toMatchObject({
      code: 'chart.template',
      message: expect.stringMatching(/^execution error at \(web\/templates\/a\.yaml:2:\d+\): not today$/) as string,
      details: { file: 'web/templates/a.yaml', line: 2 },
    })
  })

  async function write(files: Readonly<Record<string, string>>): Promise<void> {
    await writeFiles(root, files)
  }

  async function render(
    input: Partial<RenderInput>,
    options: SourceOptions = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Rendered> {
    const ctx = context({ signal })
    return (await recogniseSource(root, options, ctx)).render({ release, inlineMs, ...input }, ctx)
  }
})

const packFile = 'apiVersion: sherpack/v1\nkind: application\nmetadata: {name: web, version: 1.0.0}\n'

/** Resolves once a worker was started. */
function begun(): Promise<void> {
  return new Promise((resolve) => process.once('worker', () => resolve()))
}

/** Stops work as soon as a worker does it. */
async function stopped(work: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> {
  const controller = new AbortController()
  process.once('worker', () => controller.abort())
  return work(controller.signal)
}

function view(asked: string[]): ClusterView {
  const found: Readonly<Record<string, object>> = {
    first: { data: { next: 'second' } },
    second: { data: { count: 12_000_000 } },
  }
  return {
    capabilities: () => Promise.resolve({ kubeVersion: 'v1.35.0', apiVersions: [] }),
    lookup: ({ name }: LookupQuery) => {
      asked.push(name)
      return Promise.resolve(found[name])
    },
  }
}
