import type { Cluster } from '../../../kube/index.ts'
import { createKubeStore, type KubeStoreOptions } from './kube-store.ts'
import { configMapLayout } from './object-layout.ts'
import type { ReleaseStore } from '../release-store.ts'

/** Keeps records in ConfigMaps, for those who may not read Secrets; the values in them are as readable as they are. */
export function createConfigMapStore(cluster: Cluster, options: KubeStoreOptions = {}): ReleaseStore {
  return createKubeStore(cluster, configMapLayout, options)
}
