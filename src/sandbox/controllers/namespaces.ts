import type { KubeObject } from '../../core/index.ts'
import type { Controller, ControllerEnv, Key } from './controller.ts'
import { ownKey } from './controller.ts'
import { createAs, deleteAs, part } from './writes.ts'

const collection = '/namespaces'

/** Gives each namespace its default service account and root certificate, and empties it before it goes. */
export const namespaceController: Controller = {
  name: 'namespace',
  watches: { [collection]: ownKey },
  reconcile: (key, env) => {
    const namespace = env.backend.store.get(collection, '', key.name)
    if (namespace === undefined) return
    if (namespace.metadata.deletionTimestamp === undefined) furnish(namespace, env)
    else empty(namespace, key, env)
  },
}

function furnish(namespace: KubeObject, { backend }: ControllerEnv): void {
  const { name } = namespace.metadata
  if (backend.store.get('/serviceaccounts', name, 'default') === undefined) {
    const metadata = { name: 'default', namespace: name }
    createAs(backend, 'kube-controller-manager', { apiVersion: 'v1', kind: 'ServiceAccount', metadata })
  }
}

function empty(namespace: KubeObject, key: Key, env: ControllerEnv): void {
  const { store, catalog } = env.backend
  let left = 0
  for (const type of catalog.all()) {
    if (!type.namespaced || !type.verbs.includes('delete')) continue
    for (const object of store.list(type.collection, namespace.metadata.name)) {
      if (object.metadata.deletionTimestamp === undefined) deleteAs(env.backend, object)
      if (store.get(type.collection, namespace.metadata.name, object.metadata.name) !== undefined) left += 1
    }
  }
  if (left > 0) {
    // What has finalizers of its own goes when they are done.
    env.after(100, key)
    return
  }
  if ((namespace.metadata.finalizers ?? []).length > 0) return
  store.put(collection, { ...namespace, spec: { ...part(namespace, 'spec'), finalizers: undefined } })
  store.remove(collection, '', namespace.metadata.name)
}
