import type { Cluster } from '../../../kube/index.ts'
import { createKubeStore, type KubeStoreOptions } from './kube-store.ts'
import { secretLayout } from './object-layout.ts'
import type { ReleaseStore } from '../release-store.ts'

/** Keeps records in Secrets, where access and encryption at rest are those of secrets. */
export function createSecretStore(cluster: Cluster, options: KubeStoreOptions = {}): ReleaseStore {
  return createKubeStore(cluster, secretLayout, options)
}
