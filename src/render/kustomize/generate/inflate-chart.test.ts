import { describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../../core/index.ts'
import { parseDocuments } from '../../../core/yaml/index.ts'
import { buildKustomization, type ChartRequest, type KustomizeOptions, memoryTree } from '../index.ts'

const chart = {
  'charts/web/Chart.yaml': 'name: web\nversion: 1.0.0\n',
  'charts/web/values.yaml': 'replicas: 1\nimage: {name: nginx, tag: "1"}\nlist: [a]\n',
  'charts/web/templates/a.yaml': 'x',
}
const output = (namespace: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: made, namespace: "${namespace}"}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\n`

function build(files: Record<string, string>, path = '.', options: KustomizeOptions = {}) {
  const requests: ChartRequest[] = []
  const inflateChart = (request: ChartRequest): string => {
    requests.push(request)
    return output(request.namespace)
  }
  const tree = memoryTree({ ...chart, ...files })
  const objects = buildKustomization(tree, path, { enableHelm: true, inflateChart, ...options })
  return { objects, requests }
}

const withoutEngine = { inflateChart: undefined } as unknown as KustomizeOptions
const values = (requests: readonly ChartRequest[]) =>
  requests.map((each) => each.values.map((text) => parseDocuments(text)[0]?.value))

describe('a chart of a kustomization', () => {
  it('is handed to the Helm engine with all that the entry says, and with its files', () => {
    const entry = {
      name: 'web',
      version: '1.0.0',
      releaseName: 'r',
      namespace: 'n',
      includeCRDs: true,
      skipHooks: true,
      skipTests: true,
      apiVersions: ['a/v1'],
      kubeVersion: '1.30',
      nameTemplate: 't',
      debug: true,
      devel: true,
    }
    const { requests } = build({ 'kustomization.yaml': JSON.stringify({ helmCharts: [entry] }) })
    expect(requests).toMatchObject([{ ...entry, repo: '', folder: '/charts/web' }])
    expect([...requests[0]!.files.keys()].sort()).toEqual(['Chart.yaml', 'templates/a.yaml', 'values.yaml'])
  })

  it.each([
    ['', { replicas: 2, image: { name: 'nginx', tag: '2' }, list: ['b'] }],
    ['override', { replicas: 2, image: { name: 'nginx', tag: '2' }, list: ['b'] }],
    ['merge', { replicas: 1, image: { name: 'nginx', tag: '1' }, list: ['a'] }],
    ['replace', { replicas: 2, image: { tag: '2' }, list: ['b'] }],
  ])('has its inline values merged by %j', (valuesMerge, expected) => {
    const valuesInline = { replicas: 2, image: { tag: '2' }, list: ['b'] }
    const kustomization = JSON.stringify({ helmCharts: [{ name: 'web', valuesMerge, valuesInline }] })
    expect(values(build({ 'kustomization.yaml': kustomization }).requests)).toEqual([[expected]])
  })

  it('does not hear of a place for plugins and settings of helm (CVE-2026-113709)', () => {
    const kustomization = { helmCharts: [{ name: 'web' }], helmGlobals: { configHome: '/tmp/evil' } }
    const { requests } = build({ 'kustomization.yaml': JSON.stringify(kustomization) })
    expect(requests).toHaveLength(1)
    expect(JSON.stringify(requests)).not.toContain('evil')
  })

  it('takes its values from the files that are named, in their order', () => {
    const helmCharts = [{ name: 'web', valuesFile: 'v.yaml', additionalValuesFiles: ['w.yaml'] }]
    const files = { 'kustomization.yaml': JSON.stringify({ helmCharts }), 'v.yaml': 'a: 1', 'w.yaml': 'a: 2' }
    expect(values(build(files).requests)).toEqual([[{ a: 1 }, { a: 2 }]])
  })

  it('gets the namespace of its kustomization or of one above; what it gives is renamed, but not moved', () => {
    const { objects, requests } = build(
      {
        'base/kustomization.yaml': 'helmCharts: [{name: web}]\nhelmGlobals: {chartHome: ../charts}',
        'top/kustomization.yaml': 'resources: [../base]\nnamespace: prod\nnamePrefix: p-',
      },
      'top',
      { loadRestrictor: 'none' },
    )
    expect(requests.map(({ namespace }) => namespace)).toEqual(['prod'])
    expect(objects.map(({ metadata }) => metadata)).toEqual([{ name: 'p-made', namespace: 'prod' }, { name: 'p-s' }])
  })

  it('is found by version where it came from a repository, and by a generator or in the legacy field', () => {
    const generator =
      'apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: g}\nname: web\nreleaseName: x'
    const files = {
      'charts/db-2.0.0/db/values.yaml': 'v: 2',
      'a/kustomization.yaml': 'helmCharts: [{name: db, version: 2.0.0, repo: "https://charts.example.com"}]',
      'b/kustomization.yaml': JSON.stringify({ generators: [generator] }),
      'c/kustomization.yaml': 'helmChartInflationGenerator: [{chartName: web, chartHome: ../charts, releaseName: old}]',
    }
    const options = { loadRestrictor: 'none' } as const
    const withHome = {
      ...files,
      'a/kustomization.yaml': `${files['a/kustomization.yaml']}\nhelmGlobals: {chartHome: ../charts}`,
    }
    expect(build(withHome, 'a', options).requests).toMatchObject([{ folder: '/charts/db-2.0.0/db' }])
    expect(build({ ...files, 'b/charts/web/values.yaml': '' }, 'b').requests).toMatchObject([{ releaseName: 'x' }])
    expect(build(files, 'c', options).requests).toMatchObject([{ releaseName: 'old', name: 'web' }])
  })

  it.each<[string, string, KustomizeOptions, ErrorCode, RegExp]>([
    ['Helm is not enabled', '{name: web}', { enableHelm: false }, 'kustomize.refused', /--enable-helm/],
    ['there is no engine', '{name: web}', withoutEngine, 'kustomize.refused', /no Helm engine/],
    ['it is not in the tree', '{name: gone}', {}, 'file.not-found', /no chart gone found at charts\/gone/],
    ['it would have to be pulled', '{name: gone, repo: "https://x"}', {}, 'file.not-found', /--allow-remote x/],
    ['it has no name', '{releaseName: a}', {}, 'kustomize.invalid', /chart name cannot be empty/],
    ['its name looks like a flag', '{name: -x}', {}, 'kustomize.invalid', /must not start with '-'/],
    ['its release name looks like a flag', '{name: web, releaseName: --x}', {}, 'kustomize.invalid', /releaseName/],
    ['its name leads elsewhere', '{name: ../../etc}', {}, 'kustomize.invalid', /leads out/],
    ['its values file is elsewhere', '{name: web, valuesFile: ../v.yaml}', {}, 'kustomize.refused', /not in or below/],
    ['valuesMerge is none', '{name: web, valuesMerge: x}', {}, 'kustomize.invalid', /one of merge, override, replace/],
    ['a field is unknown', '{name: web, post: x}', {}, 'kustomize.invalid', /helmCharts\[0\]\.post/],
  ])('fails where %s', (_why, entry, options, code, words) => {
    const files: Record<string, string> = { 'o/kustomization.yaml': `helmCharts: [${entry}]`, 'v.yaml': 'a: b' }
    for (const [path, text] of Object.entries(chart)) files[`o/${path}`] = text
    expect(() => build(files, 'o', options)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(words) as string }),
    )
  })
})
