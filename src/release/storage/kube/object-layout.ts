import { defined, formatApiVersion, type GroupVersionKind, isRecord, type KubeObject } from '../../../core/index.ts'
import type { ReleaseRecord } from '../../record/record.ts'
import type { Compression } from '../codec.ts'
import { isStatus } from '../record-json.ts'
import { carriedLabels, shownLabels } from '../release-labels.ts'
import type { RevisionKey, RevisionSummary } from '../release-store.ts'
import { labelValue } from '../revision-key.ts'
import { sourceLabel } from '../summary-of-record.ts'

/** How one kind of object keeps texts. */
export interface ObjectLayout {
  readonly driver: 'secret' | 'configmap'
  readonly gvk: GroupVersionKind
  /** Value of the label `sherpack.io/storage-driver`. */
  readonly driverLabel: string
  /** Fields of an object that holds the texts. */
  fields(texts: Readonly<Record<string, string>>, type: string): Record<string, unknown>
  /** The text that an object holds under a key. */
  text(object: KubeObject, key: string): string | undefined
}

/** Secrets of type `sherpack.io/…`; the API base64-encodes each text once more. */
export const secretLayout: ObjectLayout = {
  driver: 'secret',
  gvk: { group: '', version: 'v1', kind: 'Secret' },
  driverLabel: 'secrets',
  fields: (texts, type) => ({
    type,
    data: Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [key, Buffer.from(text, 'utf8').toString('base64')]),
    ),
  }),
  text(object, key) {
    const value = isRecord(object['data']) ? object['data'][key] : undefined
    return typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : undefined
  },
}

/** ConfigMaps, which hold the texts as they are and have no type. */
export const configMapLayout: ObjectLayout = {
  driver: 'configmap',
  gvk: { group: '', version: 'v1', kind: 'ConfigMap' },
  driverLabel: 'configmap',
  fields: (texts) => ({ data: { ...texts } }),
  text(object, key) {
    const value = isRecord(object['data']) ? object['data'][key] : undefined
    return typeof value === 'string' ? value : undefined
  },
}

/** Labels of the stored format. */
export const labels = {
  managedBy: 'app.kubernetes.io/managed-by',
  name: 'sherpack.io/release-name',
  version: 'sherpack.io/release-version',
  namespace: 'sherpack.io/release-namespace',
  driver: 'sherpack.io/storage-driver',
  compression: 'sherpack.io/compression',
  chunked: 'sherpack.io/chunked',
  chunkIndex: 'sherpack.io/chunk-index',
  chunkParent: 'sherpack.io/chunk-parent',
  /** Ours: lets a list show the status without reading the record. */
  status: 'sherpack.io/release-status',
} as const

const annotations = {
  name: 'lading.dev/release-name',
  createdAt: 'lading.dev/created-at',
  updatedAt: 'lading.dev/updated-at',
  source: 'lading.dev/source',
  description: 'lading.dev/description',
} as const

const keyPrefix = 'sh.sherpack.release.v1.'

/**
 * The name of the object of a revision. In a storage namespace releases of many namespaces meet, so there the name says
 * whose it is.
 */
export function objectName(key: RevisionKey, storageNamespace: string): string {
  const owner = storageNamespace === key.namespace ? '' : `${key.namespace}.`
  return `${keyPrefix}${owner}${key.name}.v${key.version}`
}

/** The labels that every object of a revision carries. */
export function revisionLabels(layout: ObjectLayout, key: RevisionKey): Record<string, string> {
  return {
    [labels.managedBy]: 'sherpack',
    [labels.name]: labelValue(key.name),
    [labels.version]: String(key.version),
    [labels.namespace]: key.namespace,
    [labels.driver]: layout.driverLabel,
  }
}

/** The main object of a revision, without its resourceVersion. */
export function mainObject(
  layout: ObjectLayout,
  record: ReleaseRecord,
  place: { readonly name: string; readonly namespace: string },
  texts: Readonly<Record<string, string>>,
  compression: Compression,
): KubeObject {
  const metadata = {
    ...place,
    labels: {
      ...carriedLabels(record.labels),
      ...revisionLabels(layout, record),
      [labels.compression]: compression,
      [labels.status]: record.state.status,
      ...('index' in texts && { [labels.chunked]: 'true' }),
    },
    annotations: summaryAnnotations(record),
  }
  const { apiVersion, kind } = { apiVersion: formatApiVersion(layout.gvk), kind: layout.gvk.kind }
  return { apiVersion, kind, metadata, ...layout.fields(texts, 'sherpack.io/release.v1') }
}

/** What the metadata of a main object say of its revision; undefined if the object is not one of Lading's. */
export function summaryOf({ metadata }: Pick<KubeObject, 'metadata'>): RevisionSummary | undefined {
  const { labels: carried = {}, annotations: notes = {}, name, namespace = '' } = metadata
  const named = /\.v(\d+)$/.exec(name)
  if (!name.startsWith(keyPrefix) || named === null) return undefined
  const status = carried[labels.status]
  return {
    name: notes[annotations.name] ?? carried[labels.name] ?? name.slice(keyPrefix.length, named.index),
    namespace: carried[labels.namespace] ?? namespace,
    version: Number(named[1]),
    status: isStatus(status) ? status : 'unknown',
    ...readShown(metadata),
    ...shownLabels(carried),
  }
}

function summaryAnnotations(record: ReleaseRecord): Record<string, string> {
  return defined({
    [annotations.name]: labelValue(record.name) === record.name ? undefined : record.name,
    ...shownAnnotations(record),
  })
}

/** What a list shows of a record beside its status. */
export function shownAnnotations({ pack, description, createdAt, updatedAt }: ReleaseRecord): Record<string, string> {
  return defined({
    [annotations.createdAt]: createdAt,
    [annotations.updatedAt]: updatedAt,
    [annotations.source]: sourceLabel(pack),
    // Annotations share 256 KiB; a list has no room for more anyway.
    [annotations.description]: description?.slice(0, 1024),
  })
}

/** Reads what `shownAnnotations` wrote. */
export function readShown({ annotations: notes = {} }: KubeObject['metadata']): Partial<RevisionSummary> {
  return defined({
    createdAt: notes[annotations.createdAt],
    updatedAt: notes[annotations.updatedAt],
    source: notes[annotations.source],
    description: notes[annotations.description],
  })
}
