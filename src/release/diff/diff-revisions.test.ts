import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { writeDocuments } from '../../core/yaml/index.ts'
import type { ReleaseRecord } from '../record/record.ts'
import { diffRevisions } from './diff-revisions.ts'
import { formatDiff } from './format-diff.ts'

describe('the diff of two revisions', () => {
  it('tells what is added, removed, modified and unchanged', () => {
    const diffs = diffRevisions(
      revision(config('same', '1'), config('changed', '1'), config('gone', '1')),
      revision(config('new', '1'), config('changed', '2'), config('same', '1')),
    )
    expect(diffs.map(({ ref, change }) => `${change} ${ref.name}`)).toEqual([
      'added new',
      'modified changed',
      'unchanged same',
      'removed gone',
    ])
    expect(diffs[1]?.changes).toEqual([{ path: '.data.value', before: '1', after: '2' }])
    expect(diffs[0]?.changes).toEqual([{ path: '.data', after: { value: '1' } }])
  })

  it('tells kinds of one name in different groups apart, and takes a namespace that is left out for the release’s own', () => {
    const theirs: KubeObject = { apiVersion: 'example.com/v1', kind: 'ConfigMap', metadata: { name: 'a' } }
    const diffs = diffRevisions(revision(config('a', '1')), revision(theirs, config('a', '1', { namespace: 'shop' })))
    expect(diffs.map(({ ref, change }) => `${change} ${ref.group}/${ref.name}`)).toEqual([
      'added example.com/a',
      'unchanged /a',
    ])
  })

  it('matches the items of lists by their keys, whatever their order', () => {
    const port = (name: string, port: number): object => ({ name, port, protocol: 'TCP' })
    const before = service([port('a', 1), port('b', 2)])
    const diffs = diffRevisions(revision(before), revision(service([port('b', 2), port('renamed', 1)])))
    expect(diffs[0]?.changes).toEqual([
      { path: '.spec.ports[port=1,protocol="TCP"].name', before: 'a', after: 'renamed' },
    ])
  })

  it('takes every name for a key of the data, whatever JavaScript knows under it', () => {
    const data = JSON.parse('{"constructor": "c", "toString": "t", "__proto__": "p", "value": "1"}') as object
    const [diff] = diffRevisions(revision(config('a', '1')), revision({ ...config('a', '1'), data }))
    expect(diff?.changes).toEqual([
      { path: '.data.constructor', after: 'c' },
      { path: '.data.toString', after: 't' },
      { path: '.data.__proto__', after: 'p' },
    ])
  })

  it('never shows the value of a Secret, but that it changed', () => {
    const secret = (value: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      stringData: { password: value, user: 'admin' },
    })
    const diffs = diffRevisions(revision(secret('hunter2')), revision(secret('correct horse')))
    expect(diffs[0]?.changes.map(({ path }) => path)).toEqual(['.stringData.password'])
    expect(JSON.stringify(diffs) + formatDiff(diffs)).not.toMatch(/hunter2|correct horse|admin/)
  })

  it('shows hooks apart', () => {
    const hook = (image: string): ReleaseRecord['hooks'][number] => ({
      object: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'migrate' },
        spec: { containers: [{ name: 'x', image }] },
      },
      phases: ['pre-upgrade'],
      weight: 0,
    })
    const diffs = diffRevisions(
      { ...revision(), hooks: [hook('a')] },
      { ...revision(config('a', '1')), hooks: [hook('b')] },
    )
    expect(diffs.map(({ ref, change, hook: isHook }) => [ref.name, change, isHook])).toEqual([
      ['a', 'added', undefined],
      ['migrate', 'modified', true],
    ])
    expect(diffs[1]?.changes[0]?.path).toBe('.spec.containers[name="x"].image')
  })
})

describe('a diff as text', () => {
  it('has a paragraph for each object and a line for each side of a field', () => {
    const diffs = diffRevisions(
      revision(config('same', '1'), config('changed', 'one'), config('gone', '1')),
      revision(
        config('same', '1'),
        config('changed', 'two\nlines\n'),
        config('new', '1', { labels: { 'a.b/c': 'x' } }),
      ),
    )
    expect(formatDiff(diffs)).toBe(
      [
        '~ ConfigMap changed',
        '  - .data.value: one',
        '  + .data.value:',
        '  +     two',
        '  +     lines',
        '+ ConfigMap new',
        '  + .metadata.labels:',
        '  +     a.b/c: x',
        '  + .data:',
        '  +     value: "1"',
        '- ConfigMap gone',
        '  - .data:',
        '  -     value: "1"',
        '',
      ].join('\n'),
    )
    expect(formatDiff(diffs, { unchanged: true })).toContain('= ConfigMap same\n')
    expect(formatDiff(diffs, { colour: true })).toContain('\u001b[31m  - .data.value: one\u001b[39m')
  })

  it('never drives the terminal', () => {
    const diffs = diffRevisions(revision(config('a', '1')), revision(config('a', 'x\n\u001b[2Jgone')))
    expect(formatDiff(diffs)).not.toContain('\u001b')
  })

  it('names who made a drift', () => {
    const ref = { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'shop', name: 'web' }
    const changes = [{ path: '.spec.replicas', before: 1, after: 5, manager: 'kubectl', time: '2025-01-01T00:00:00Z' }]
    const text = formatDiff([
      { ref, change: 'unchanged', changes: [], drift: { state: 'modified', changes, added: [] } },
      {
        ref: { ...ref, name: 'api' },
        change: 'unchanged',
        changes: [],
        drift: { state: 'missing', changes: [], added: [] },
      },
      {
        ref: { ...ref, name: 'calm' },
        change: 'unchanged',
        changes: [],
        drift: { state: 'none', changes: [], added: [] },
      },
    ])
    expect(text).toBe(
      [
        '= Deployment.apps shop/web',
        '  ! drift by kubectl at 2025-01-01T00:00:00Z',
        '    - .spec.replicas: 1',
        '    + .spec.replicas: 5',
        '= Deployment.apps shop/api',
        '  ! drift: it is missing on the cluster',
        '',
      ].join('\n'),
    )
  })
})

function revision(...objects: KubeObject[]): ReleaseRecord {
  return {
    name: 'shop',
    namespace: 'shop',
    version: 1,
    state: { status: 'deployed' },
    pack: { type: 'manifest', name: 'shop' },
    values: {},
    valuesProvenance: { sources: {} },
    manifest: writeDocuments(objects),
    hooks: [],
    inventory: [],
    labels: {},
    createdAt: '',
    updatedAt: '',
  }
}

function config(name: string, value: string, metadata: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data: { value } }
}

function service(ports: object[]): KubeObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports } }
}
