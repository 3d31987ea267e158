import { describe, expect, it } from 'vitest'
import { TreeCache } from '../gotemplate/index.ts'
import { loadChart } from './chart/load-chart.ts'
import { renderChart, type RenderOptions } from './render-chart.ts'
import { writeTemplate } from './write-template.ts'

const chartYaml = 'apiVersion: v2\nname: demo\nversion: 1.0.0\n'
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'

function load(files: Record<string, string>) {
  const all = { 'Chart.yaml': chartYaml, ...files }
  return loadChart(new Map(Object.entries(all).map(([name, text]) => [name, Buffer.from(text)])))
}

function render(files: Record<string, string>, options: Partial<RenderOptions> = {}) {
  return renderChart(load(files), { release: { name: 'demo' }, ...options })
}

describe('a rendered chart', () => {
  it('has objects in the order of their kinds, lists expanded, hooks and CRDs apart', () => {
    const rendered = render({
      'templates/a.yaml': `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: s}}\n---\n${configMap}`,
      'templates/b.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\n---\n# nothing\n',
      'templates/c.yaml': configMap.replace(
        '{name: a}',
        '{name: h, annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: "-3", helm.sh/hook-delete-policy: hook-failed}}',
      ),
      'crds/x.yaml': 'kind: CustomResourceDefinition\n',
      'templates/NOTES.txt': 'Thanks for {{ .Release.Name }}',
    })
    expect(rendered.objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      'ConfigMap/a',
      'Deployment/d',
      'Secret/s',
    ])
    expect(rendered.hooks).toMatchObject([
      { name: 'h', kind: 'ConfigMap', events: ['pre-install'], weight: -3, deletePolicies: ['hook-failed'] },
    ])
    expect(rendered.crds.map(({ name }) => name)).toEqual(['demo/crds/x.yaml'])
    expect(rendered.notes).toBe('Thanks for demo')
  })

  it('says which template a document without a kind is from, once its objects are asked for', () => {
    const rendered = render({ 'templates/a.yaml': 'a: 1\n' })
    expect(writeTemplate(rendered)).toBe('---\n# Source: demo/templates/a.yaml\na: 1\n')
    expect(() => rendered.objects).toThrow(/demo\/templates\/a\.yaml/)
  })

  it('has notes of subcharts where they are asked for', () => {
    const files = {
      'templates/NOTES.txt': 'top',
      'charts/sub/Chart.yaml': chartYaml.replace('demo', 'sub'),
      'charts/sub/templates/NOTES.txt': 'sub',
    }
    expect(render(files).notes).toBe('top')
    expect(render(files, { subchartNotes: true }).notes).toBe('top\nsub')
  })

  it('warns of values that are ignored for their type', () => {
    const files = { 'values.yaml': 'a: {b: {c: 1}}\nd: text\n', 'templates/a.yaml': configMap }
    expect(render(files, { values: { a: { b: 'text' }, d: { e: 1 } } }).warnings).toEqual([
      'warning: cannot overwrite table with non table for demo.a.b (map[c:1])',
      'warning: skipped value for demo.d: Not a table.',
    ])
  })

  it('is the same again, and leaves chart and values as they were', () => {
    const chart = load({
      'values.yaml': 'a: {b: 1}\n',
      'templates/a.yaml': `${configMap}data: {{ .Values.a | toJson }}{{ $_ := set .Values.a "c" 2 }}\n`,
    })
    const values = { a: { d: 3 } }
    const once = renderChart(chart, { release: { name: 'x' }, values }).manifests
    expect(renderChart(chart, { release: { name: 'x' }, values }).manifests).toEqual(once)
    expect(values).toEqual({ a: { d: 3 } })
    expect(once[0]?.text).toContain('{"b":1,"d":3}')
  })

  it('takes integers as --set gives them, and floats as files do', () => {
    const template = { 'templates/a.yaml': 'a: {{ .Values.n }} {{ typeOf .Values.n }}\n' }
    expect(render(template, { values: { n: 12345678 } }).manifests[0]?.text).toBe('a: 1.2345678e+07 float64')
    expect(render(template, { values: { n: 12345678n } }).manifests[0]?.text).toBe('a: 12345678 int64')
  })

  it('finds what lookup is given, and the time and chance that it is given', () => {
    const rendered = render(
      {
        'templates/a.yaml':
          'a: {{ (lookup "v1" "Secret" "ns" "s").data.k }}\nt: {{ now | date "2006" }}\nr: {{ randAlphaNum 5 }}\n',
      },
      {
        environment: {
          now: () => new Date('2001-02-03T00:00:00Z'),
          lookup: (apiVersion, kind, namespace, name) => ({
            data: { k: [apiVersion, kind, namespace, name].join('/') },
          }),
        },
      },
    )
    expect(rendered.manifests[0]?.text).toMatch(/^a: v1\/Secret\/ns\/s\nt: 2001\nr: \w{5}$/)
  })

  it('fails on keys that are missing where that is asked for', () => {
    const files = { 'templates/a.yaml': 'a: {{ .Values.missing }}\n' }
    expect(render(files).manifests[0]?.text).toBe('a:')
    expect(() => render(files, { strict: true })).toThrow(/map has no entry for key "missing"/)
  })

  it('goes through a function as one stream, hooks included, and comes back in its files', () => {
    const files = {
      'templates/a.yaml': `${configMap}---\n${configMap.replace('name: a', 'name: b')}`,
      'templates/h.yaml': configMap.replace('{name: a}', '{name: h, annotations: {helm.sh/hook: pre-install}}'),
    }
    const seen: string[] = []
    const rendered = render(files, {
      postRender: (stream) => {
        seen.push(stream)
        return `${stream.replaceAll('name: b', 'name: changed')}---\n${configMap.replace('name: a', 'name: added')}`
      },
    })
    expect(seen[0]).toContain('postrenderer.helm.sh/postrender-filename: demo/templates/a.yaml')
    expect(rendered.objects.map(({ metadata }) => metadata.name)).toEqual(['a', 'changed', 'added'])
    expect(rendered.objects.map(({ metadata }) => metadata.annotations)).toEqual([undefined, undefined, undefined])
    expect(rendered.hooks.map(({ name, path }) => [name, path])).toEqual([['h', 'demo/templates/h.yaml']])
  })

  it('parses each template once where a cache is handed in', () => {
    class CountingCache extends TreeCache {
      parsed = 0
      override set(...entry: Parameters<TreeCache['set']>): void {
        this.parsed++
        super.set(...entry)
      }
    }
    const cache = new CountingCache()
    const files = { 'templates/a.yaml': configMap, 'templates/_h.tpl': '{{ define "x" }}{{ end }}' }
    const first = render(files, { cache }).manifests
    expect(render(files, { cache }).manifests).toEqual(first)
    expect(cache.parsed).toBe(2)
  })
})
