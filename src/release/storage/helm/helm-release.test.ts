import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { parseJson, stringifyJson } from '../../../core/index.ts'
import { encodeText } from '../codec.ts'
import { record } from '../contract/fixtures.ts'
import { type HelmRecord, type HelmRelease, ownFile, toHelm } from './helm-release.ts'
import { readHelmRelease } from './read-helm-release.ts'

const web: HelmRecord = record({ name: 'web', namespace: 'shop' })

describe('a record in Helm’s form', () => {
  it('has what Helm reads: info, a chart, the user’s values, the manifest with sources, hooks', () => {
    const release = toHelm({ ...web, hooks: [withPolicies()] })
    expect(release).toMatchObject({
      name: 'web',
      namespace: 'shop',
      version: 1,
      apply_method: 'csa',
      info: {
        first_deployed: web.createdAt,
        last_deployed: web.createdAt,
        deleted: '',
        description: 'Install complete',
        status: 'deployed',
        notes: 'Visit the shop.',
      },
      chart: { metadata: { name: 'shop', version: '1.4.2', apiVersion: 'v2' }, templates: [], values: web.values },
      config: { replicas: 3 },
      hooks: [
        {
          name: 'migrate',
          kind: 'Job',
          path: 'hooks/migrate.yaml',
          events: ['pre-upgrade'],
          weight: -5,
          delete_policies: ['before-hook-creation', 'hook-succeeded'],
          last_run: { phase: 'Succeeded', started_at: '2026-01-02T03:04:05Z', completed_at: '2026-01-02T03:04:09Z' },
        },
      ],
    })
    const sources = release.manifest?.match(/^---\n# Source: shop\/manifest\.yaml\napiVersion: v1$/gm)
    expect(sources).toHaveLength(2)
  })

  it('names a chart that Helm accepts, whatever the source is called', () => {
    const chart = toHelm({ ...web, pack: { type: 'kustomize', name: './over lays/ÄB!', version: 'main' } }).chart
    expect(chart?.metadata).toMatchObject({ name: '.-over-lays-B', version: '0.0.0' })
  })

  it('leaves a manifest alone that has Helm’s sources already, or starts with ---', () => {
    const theirs = '---\n# Source: demo/templates/a.yaml\nkind: A\n'
    expect(toHelm({ ...web, manifest: theirs }).manifest).toBe(theirs)
    for (const manifest of [
      '---\nkind: A\n---\nkind: B\n',
      'kind: A\n--- \nkind: B\n',
      '',
      'text: |\n  ---\n  # no\n',
    ]) {
      expect(again(toHelm({ ...web, manifest })).record.manifest).toBe(manifest)
    }
  })

  it('comes back whole', () => {
    const { record: read, complete } = again(toHelm(web))
    expect(complete).toBe(true)
    expect(read).toMatchObject(web)
  })

  it('keeps the chart and what else Helm wrote when it is written again', () => {
    const theirs = helmRelease()
    const { record: read, complete } = again(theirs)
    expect(complete).toBe(false)
    const next = toHelm({ ...read, state: { status: 'superseded' } })
    expect(next).toMatchObject({ chart: { metadata: theirs.chart?.metadata, templates: [{ name: 't.yaml' }] } })
    expect(next).toMatchObject({ info: { first_deployed: '2025-01-01T00:00:00Z', status: 'superseded' }, future: 1 })
    expect(next.manifest).toBe(theirs.manifest)
    const files = next.chart?.files?.map(({ name }) => name)
    expect(files).toEqual(['README.md', ownFile])
    expect(toHelm(again(next).record).chart?.files).toHaveLength(2)
  })

  it('that Helm wrote says as much as Helm knows', () => {
    expect(
      again(helmRelease(), { name: 'web', owner: 'helm', modifiedAt: '1767323045', team: 'a' }).record,
    ).toMatchObject({
      state: { status: 'pending-rollback', started_at: '2026-01-01T00:00:00Z', timeout: 300, target_version: 4 },
      pack: { type: 'chart', name: 'demo', version: '0.3.0', appVersion: '9' },
      values: { a: { b: 1, c: 3 } },
      userValues: { a: { c: 3 }, gone: null },
      labels: { team: 'a' },
      createdAt: '2026-01-01T00:00:00Z',
      updatedAt: '2026-01-01T00:00:00Z',
      description: 'Rollback to 4',
      hooks: [{ phases: ['test'], weight: 0, object: { kind: 'Pod' } }],
    })
  })

  it('that Helm copied to another revision keeps its source, and nothing of the old revision’s fate', () => {
    const copied = { ...toHelm({ ...web, userValues: { replicas: 3 } }), version: 5 }
    const moved = { ...copied, info: { ...copied.info, last_deployed: '2026-03-03T00:00:00Z', status: 'deployed' } }
    const { record: read, complete } = again(moved)
    expect(complete).toBe(false)
    expect(read).toMatchObject({ version: 5, pack: web.pack, values: web.values, createdAt: '2026-03-03T00:00:00Z' })
    expect(read.inventory).toEqual([])
  })

  it('that Helm moved on has Helm’s state and our inventory', () => {
    const release = toHelm(web)
    const { record: read, complete } = again({ ...release, info: { ...release.info, status: 'uninstalling' } })
    expect(complete).toBe(true)
    expect(read.state).toEqual({ status: 'pending-uninstall', started_at: web.createdAt, timeout: 300 })
    expect(read.inventory).toEqual(web.inventory)
  })

  it.each([
    ['is no JSON', gzipSync('{').toString('base64')],
    ['is no release', encodeText('{"name":"web"}', 'gzip')],
    ['has a hook that is no object', encodeText(stringifyJson(withHook('- 1')), 'gzip')],
    ['has a hook that is no YAML', encodeText(stringifyJson(withHook('a: [')), 'gzip')],
    ...[{ hooks: {} }, { hooks: [null] }, { chart: 'x' }, { chart: { files: 5 } }, { config: [] }, { manifest: 5 }].map(
      (odd): [string, string] => [
        `has ${stringifyJson(odd)}`,
        encodeText(stringifyJson({ ...helmRelease(), ...odd }), 'gzip'),
      ],
    ),
  ])('that %s is reported', (_, text) => {
    expect(() => readHelmRelease(text, {}, 'Secret shop/x')).toThrow(
      expect.objectContaining({
        code: 'release.unreadable',
        details: expect.objectContaining({ where: 'Secret shop/x' }),
      }),
    )
  })
})

/** The release as it comes back from the storage. */
function again(release: HelmRelease, labels: Record<string, string> = {}): ReturnType<typeof readHelmRelease> {
  return readHelmRelease(encodeText(stringifyJson(parseJson(stringifyJson(release))), 'gzip'), labels, 'here')
}

function withPolicies(): HelmRecord['hooks'][number] {
  const [hook] = web.hooks
  if (hook === undefined) throw new Error('the sample has a hook')
  const annotations = { 'helm.sh/hook-delete-policy': 'before-hook-creation, hook-succeeded' }
  return { ...hook, object: { ...hook.object, metadata: { name: 'migrate', annotations } } }
}

function helmRelease(): HelmRelease {
  return {
    name: 'web',
    namespace: 'shop',
    version: 6,
    future: 1,
    info: {
      first_deployed: '2025-01-01T00:00:00Z',
      last_deployed: '2026-01-01T00:00:00Z',
      deleted: '0001-01-01T00:00:00Z',
      description: 'Rollback to 4',
      status: 'pending-rollback',
      rollback_revision: 4,
    },
    chart: {
      metadata: { name: 'demo', version: '0.3.0', appVersion: '9' },
      templates: [{ name: 't.yaml', data: '' }],
      values: { a: { b: 1, c: 2 }, gone: true },
      files: [{ name: 'README.md', data: '' }],
    },
    config: { a: { c: 3 }, gone: null },
    manifest: '---\n# Source: demo/t.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n',
    hooks: [
      { ...hookOf('apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n'), events: ['test-success', 'crd-install'] },
    ],
  }
}

function withHook(manifest: string): HelmRelease {
  return { ...helmRelease(), hooks: [hookOf(manifest)] }
}

function hookOf(manifest: string): Record<string, unknown> {
  return { name: 'p', kind: 'Pod', manifest, last_run: { started_at: '', completed_at: '', phase: '' } }
}
