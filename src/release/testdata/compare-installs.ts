import { gunzipSync } from 'node:zlib'
import type { KubeObject } from '../../core/index.ts'
import { ownFile } from '../storage/helm/helm-release.ts'

/** A revision's Secret as it is stored, without what has to differ. */
export function storedRelease(secret: KubeObject | undefined, namespace: string): unknown {
  const data = secret?.['data'] as { release: string }
  const zipped = Buffer.from(Buffer.from(data.release, 'base64').toString(), 'base64')
  const record = JSON.parse(gunzipSync(zipped).toString()) as StoredRelease
  const { createdAt: _, modifiedAt: __, ...labels } = secret?.metadata.labels ?? {}
  const files = (record.chart.files ?? []).filter((file) => file.name !== ownFile)
  const hooks = (record.hooks ?? []).map((hook) => sinceThen(hook, record.info.last_deployed))
  const runs = hooks.filter(({ last_run }) => last_run.started_at).sort(byStart)
  return normal(
    {
      type: secret?.['type'],
      labels,
      // Why Lading says `csa` stands where it is written.
      record: withoutTimes({ ...record, apply_method: '', hooks, chart: { ...record.chart, files } }),
      runs: runs.map(({ name }) => name),
    },
    namespace,
  )
}

interface StoredRelease {
  readonly chart: { readonly files?: readonly { readonly name: string }[] | null }
  readonly info: { readonly last_deployed: string }
  readonly hooks?: readonly StoredHook[] | null
}

interface StoredHook {
  readonly name: string
  readonly last_run: { readonly started_at?: string }
}

function byStart(a: StoredHook, b: StoredHook): number {
  return Date.parse(a.last_run.started_at ?? '') - Date.parse(b.last_run.started_at ?? '')
}

// Helm copies into a rollback's record what its target's hooks did long before; Lading tells what ran for this revision.
function sinceThen(hook: StoredHook, revisionAt: string): StoredHook {
  if (Date.parse(hook.last_run.started_at ?? '') >= Date.parse(revisionAt)) return hook
  const { delete_policies: _, ...rest } = hook as StoredHook & { delete_policies?: unknown }
  return { ...rest, last_run: {} }
}

/** Records are compared on their own; what controllers made is theirs. */
export function isOurs({ kind, metadata }: KubeObject): boolean {
  if (kind === 'Secret' && metadata.name.startsWith('sh.helm.')) return false
  return metadata.ownerReferences === undefined && metadata.name !== 'kube-root-ca.crt'
}

const crdMarks = ['lading.dev/crd-policy', 'helm.sh/resource-policy']

const hookMarks = ['lading.dev/release-name', 'lading.dev/release-namespace']

/** An object without what the cluster adds, and without the marks that Lading puts on CRDs and hooks. */
export function comparable({ kind, apiVersion, metadata, status: _, ...rest }: KubeObject): unknown {
  const { name, labels, annotations = {}, finalizers } = metadata
  const own = kind === 'CustomResourceDefinition' ? crdMarks : ['deployment.kubernetes.io/revision']
  const marks = annotations['helm.sh/hook'] === undefined ? own : [...own, ...hookMarks]
  const shown = Object.fromEntries(Object.entries(annotations).filter(([key]) => !marks.includes(key)))
  return { kind, apiVersion, name, labels, annotations: shown, finalizers, ...rest }
}

const timeFields = ['first_deployed', 'last_deployed', 'deleted', 'started_at', 'completed_at', 'modtime', 'schemamodtime']
const assigned = [...timeFields, 'clusterIP', 'clusterIPs', 'nodeName', 'uid', 'batch.kubernetes.io/controller-uid', 'controller-uid']

function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, item: unknown) => (timeFields.includes(key) ? undefined : item)))
}

/** The value without what the cluster assigns, and as if both releases were in one namespace. */
export function normal(value: unknown, namespace: string): unknown {
  const text = JSON.stringify(value, (key, item: unknown) => (assigned.includes(key) ? undefined : decoded(key, item)))
  return JSON.parse(text.replaceAll(namespace, 'NAMESPACE').replaceAll(/kube-api-access-\w+/g, 'kube-api-access'))
}

// The CRD's file names the namespace too.
function decoded(key: string, item: unknown): unknown {
  return key === 'data' && typeof item === 'string' ? Buffer.from(item, 'base64').toString() : item
}
