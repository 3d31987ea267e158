import type { KubeObject } from '../../core/index.ts'
import type { Content } from '../intent.ts'

/** What is deployed: ConfigMaps alone, or with workloads in two waves and a hook. */
export type CrashContent = 'configmaps' | 'workloads'

/** Versions of a release: it goes back and forth between two, and another process brings the third. */
export type Version = 'one' | 'two' | 'three'

/** A version of the release. */
export function crashContent(kind: CrashContent, namespace: string, version: Version): Content {
  const maps = Object.entries(dataOf(version)).map(([name, data]): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data,
  }))
  const workloads = [hookAccount(), hookJob(), deployment('db', version, '-1'), deployment('web', version, '0')]
  return {
    release: { name: 'shop', namespace },
    objects: kind === 'configmaps' ? maps : [...maps, ...workloads],
    source: { type: 'manifest', name: 'shop', digest: `sha256:${kind}-${version}` },
    values: {},
    provenance: { sources: {} },
  }
}

/** The ConfigMaps of a version: one that changes, one that stays, one that comes or goes. */
export function dataOf(version: Version): Record<string, Record<string, string>> {
  const common = { changing: { value: version }, staying: { value: 'same' } }
  const own = { one: { leaving: { value: '1' } }, two: { coming: { value: '2' } }, three: { another: { value: '3' } } }
  return { ...common, ...own[version] }
}

/** The images by Deployment of a version. */
export function imagesOf(version: Version): Record<string, string> {
  return { db: `registry.example/db:${version}`, web: `registry.example/web:${version}` }
}

function deployment(name: string, version: Version, wave: string): KubeObject {
  const labels = { app: name }
  const containers = [{ name: 'main', image: imagesOf(version)[name] ?? '' }]
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, annotations: { 'lading.dev/sync-wave': wave } },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  }
}

/** What the hook needs, removed after the phase and by nothing else. */
function hookAccount(): KubeObject {
  const annotations = {
    'helm.sh/hook': 'pre-install,pre-upgrade,pre-rollback,pre-delete',
    'helm.sh/hook-weight': '-1',
    'helm.sh/hook-delete-policy': 'hook-succeeded',
  }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'account', annotations } }
}

function hookJob(): KubeObject {
  const annotations = {
    'helm.sh/hook': 'pre-install,pre-upgrade,pre-rollback,pre-delete',
    'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
  }
  const spec = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/migrate:1' }] }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', annotations },
    spec: { backoffLimit: 0, template: { spec } },
  }
}
