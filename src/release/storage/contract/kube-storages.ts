import { createConfigMapStore } from '../kube/configmap-store.ts'
import { createHelmStore } from '../helm/helm-store.ts'
import { configMapLayout, objectName, secretLayout } from '../kube/object-layout.ts'
import { createSecretStore } from '../kube/secret-store.ts'
import type { KubeStorage } from './kube-target.ts'

/** The stores over a cluster, each in the ways it can be set up. */
export const kubeStorages: Readonly<Record<string, KubeStorage>> = {
  'the Secret store': {
    gvk: secretLayout.gvk,
    holdsLarge: true,
    open: (cluster) => createSecretStore(cluster),
    objectName: (key) => objectName(key, key.namespace),
  },
  'the Secret store with separate manifests': {
    gvk: secretLayout.gvk,
    holdsLarge: true,
    open: (cluster) => createSecretStore(cluster, { largeReleaseStrategy: 'separate-manifests', compression: 'gzip' }),
    objectName: (key) => objectName(key, key.namespace),
  },
  'the ConfigMap store': {
    gvk: configMapLayout.gvk,
    holdsLarge: true,
    open: (cluster) => createConfigMapStore(cluster),
    objectName: (key) => objectName(key, key.namespace),
  },
  'the Helm store': {
    gvk: secretLayout.gvk,
    holdsLarge: false,
    open: (cluster) => createHelmStore(cluster),
    objectName: ({ name, version }) => `sh.helm.release.v1.${name}.v${version}`,
  },
}
