import type { KubeObject } from '../../core/index.ts'
import { type Backend, timestamp } from '../backend.ts'
import { partOf } from '../object-parts.ts'
import { type Condition, conditionsOf, replaceCondition } from './conditions.ts'
import type { Controller, ControllerEnv } from './controller.ts'
import { ownKey } from './controller.ts'
import { createAs, deleteAs, setStatus } from './writes.ts'

const collection = '/namespaces'
const manager = 'kube-controller-manager'

/** Gives each namespace its default service account and root certificate, and empties it before it goes. */
export const namespaceController: Controller = {
  name: 'namespace',
  watches: {
    [collection]: ownKey,
    // What goes out of a namespace that is being emptied brings it closer to its end.
    '*': ({ metadata: { namespace } }, _, index, __, gone) => {
      if (namespace === undefined) return []
      const home = index.get(collection, '', namespace)
      const emptied = home !== undefined && home.metadata.deletionTimestamp !== undefined
      return emptied || gone ? [{ namespace: '', name: namespace }] : []
    },
  },
  reconcile: (key, env) => {
    const namespace = env.backend.store.get(collection, '', key.name)
    if (namespace === undefined) return
    if (namespace.metadata.deletionTimestamp === undefined) furnish(namespace, env.backend)
    else empty(namespace, env)
  },
}

function furnish({ metadata: { name } }: KubeObject, backend: Backend): void {
  if (backend.store.get('/serviceaccounts', name, 'default') === undefined) {
    const metadata = { name: 'default', namespace: name }
    createAs(backend, manager, { apiVersion: 'v1', kind: 'ServiceAccount', metadata })
  }
  if (backend.store.get('/configmaps', name, 'kube-root-ca.crt') === undefined) {
    const annotations = {
      'kubernetes.io/description':
        'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
    }
    const metadata = { name: 'kube-root-ca.crt', namespace: name, annotations }
    createAs(backend, manager, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'ca.crt': '' } })
  }
}

function empty(namespace: KubeObject, env: ControllerEnv): void {
  const { backend, index } = env
  const { name } = namespace.metadata
  const left = new Map<string, KubeObject[]>()
  for (const type of distinctTypes(backend)) {
    for (const object of index.inNamespace(type.collection, name)) {
      if (object.metadata.deletionTimestamp === undefined) deleteAs(backend, object)
    }
    const remaining = index.inNamespace(type.collection, name)
    if (remaining.length > 0) left.set(type.group === '' ? type.resource : `${type.resource}.${type.group}`, remaining)
  }
  const now = timestamp(backend.clock)
  let conditions = conditionsOf(namespace)
  for (const condition of deletionConditions(left)) conditions = replaceCondition(conditions, condition, now)
  const current = setStatus(backend, manager, namespace, { phase: 'Terminating', conditions })
  if (left.size === 0) finish(current, backend)
}

/** The namespace's own finalizer is done; it goes unless somebody else still holds it. */
function finish(namespace: KubeObject, backend: Backend): void {
  const spec = partOf(namespace, 'spec')
  const given = Array.isArray(spec['finalizers']) ? (spec['finalizers'] as unknown[]) : []
  const finalizers = given.filter((finalizer) => finalizer !== 'kubernetes')
  if (finalizers.length !== given.length) {
    const next = finalizers.length === 0 ? {} : { finalizers }
    backend.store.put(collection, { ...namespace, spec: next })
  }
  if (finalizers.length > 0 || (namespace.metadata.finalizers ?? []).length > 0) return
  backend.store.remove(collection, '', namespace.metadata.name)
}

function distinctTypes(backend: Backend): { collection: string; group: string; resource: string }[] {
  const types = new Map(
    backend.catalog
      .all()
      .filter((type) => type.namespaced && type.verbs.includes('delete'))
      .map((type) => [type.collection, type]),
  )
  return [...types.values()]
}

// The five conditions, in the order and words of the namespace controller.
function deletionConditions(left: ReadonlyMap<string, readonly KubeObject[]>): Condition[] {
  const remaining = [...left].map(([resource, objects]) => `${resource} has ${objects.length} resource instances`)
  const finalizers = new Map<string, number>()
  for (const object of [...left.values()].flat()) {
    for (const finalizer of object.metadata.finalizers ?? []) {
      finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1)
    }
  }
  const held = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`)
  return [
    falsy('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    falsy(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    falsy(
      'NamespaceDeletionContentFailure',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    remaining.length === 0
      ? falsy('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed')
      : truthy(
          'NamespaceContentRemaining',
          'SomeResourcesRemain',
          `Some resources are remaining: ${remaining.sort().join(', ')}`,
        ),
    held.length === 0
      ? falsy('NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished')
      : truthy(
          'NamespaceFinalizersRemaining',
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${held.sort().join(', ')}`,
        ),
  ]
}

function falsy(type: string, reason: string, message: string): Condition {
  return { type, status: 'False', reason, message }
}

function truthy(type: string, reason: string, message: string): Condition {
  return { type, status: 'True', reason, message }
}
