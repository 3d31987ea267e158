import { LadingError, stringifyJson } from '../../core/index.ts'
import type { Cluster } from '../../kube/index.ts'
import { clusterBoundStore } from './cluster-bound-store.ts'
import type { Compression } from './codec.ts'
import { createConfigMapStore } from './kube/configmap-store.ts'
import { createFileStore } from './file/file-store.ts'
import { createHelmStore } from './helm/helm-store.ts'
import type { LargeReleaseStrategy } from './kube/kube-store.ts'
import { createMemoryStore } from './memory-store.ts'
import type { ReleaseStore } from './release-store.ts'
import { createSecretStore } from './kube/secret-store.ts'

/** Which store keeps the records, and how. */
export interface StoreConfig {
  readonly driver: 'secrets' | 'configmap' | 'file' | 'helm' | 'memory'
  /** How records are compressed (default: `zstd`); Helm's are always gzip. */
  readonly compression?: Compression
  /** How Secrets and ConfigMaps hold a large record (default: `chunked`). */
  readonly largeReleaseStrategy?: LargeReleaseStrategy
  /** Keeps the records of all namespaces in one; for Secrets and ConfigMaps. */
  readonly storageNamespace?: string
  /** The folder of the file store. */
  readonly path?: string
}

/** Opens the store that a configuration names; those in a cluster need one. */
export function createStore(config: StoreConfig, cluster?: Cluster): ReleaseStore {
  const { driver, path, storageNamespace, ...options } = config
  const kubeOptions = { ...options, ...(storageNamespace !== undefined && { storageNamespace }) }
  switch (driver) {
    case 'secrets':
      return createSecretStore(required(cluster, driver), kubeOptions)
    case 'configmap':
      return createConfigMapStore(required(cluster, driver), kubeOptions)
    case 'helm':
      if (storageNamespace !== undefined) {
        throw new LadingError('usage.invalid', 'Helm keeps each release in its own namespace: drop storageNamespace')
      }
      return createHelmStore(required(cluster, driver))
    case 'file':
      if (path === undefined)
        throw new LadingError(
          'usage.invalid',
          'the file store needs a path: give --storage-path or set LADING_STORAGE_PATH',
        )
      return boundTo(cluster, createFileStore({ path, ...options }))
    case 'memory':
      return createMemoryStore()
    default:
      throw new LadingError('usage.invalid', `there is no store ${stringifyJson(driver)}`, { driver })
  }
}

/** Without a cluster the records can be read and listed, whichever cluster they are about. */
function boundTo(cluster: Cluster | undefined, store: ReleaseStore): ReleaseStore {
  return cluster === undefined ? store : clusterBoundStore(store, cluster)
}

function required(cluster: Cluster | undefined, driver: string): Cluster {
  if (cluster !== undefined) return cluster
  throw new LadingError('usage.invalid', `the store ${driver} needs a cluster`, { driver })
}
