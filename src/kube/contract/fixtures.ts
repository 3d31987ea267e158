import { formatApiVersion, type GroupVersionKind, type KubeObject, type ObjectRef, refOf } from '../../core/index.ts'
import { createObject } from '../apply/create.ts'
import { waitUntilEstablished, waitUntilServed } from '../set/wait-for-crds.ts'
import type { CaseContext } from './harness.ts'

/** The kind of ConfigMaps. */
export const configMaps: GroupVersionKind = { group: '', version: 'v1', kind: 'ConfigMap' }

/** A ConfigMap of the case. */
export function configMap(c: CaseContext, name: string, data: Record<string, string> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: c.namespace }, data }
}

/** Names a ConfigMap of the case. */
export function configMapRef(c: CaseContext, name: string): ObjectRef {
  return { ...configMaps, namespace: c.namespace, name }
}

/** A Deployment of the case that no pod can satisfy. */
export function deployment(c: CaseContext, name: string): KubeObject {
  const labels = { app: name }
  const containers = [
    { name: 'main', image: 'example.invalid/main:1' },
    { name: 'side', image: 'example.invalid/side:1' },
  ]
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: c.namespace },
    spec: { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  }
}

/** Creates an object of the case. */
export function create(c: CaseContext, object: KubeObject): Promise<KubeObject> {
  return createObject(c.cluster, object, {}, c.ctx)
}

/** Removes an object of the case, without waiting for its end. */
export async function remove(c: CaseContext, object: KubeObject, path: string): Promise<void> {
  await c.cluster.transport.request({ method: 'DELETE', path: `${path}/${object.metadata.name}` }, c.ctx)
}

/** Removes a ConfigMap of the case. */
export async function removeConfigMap(c: CaseContext, name: string): Promise<void> {
  await remove(c, configMap(c, name), `/api/v1/namespaces/${c.namespace}/configmaps`)
}

/** A kind that only this case knows. */
export interface OwnKind extends GroupVersionKind {
  /** An object of the kind. */
  object(name: string, fields?: Record<string, unknown>): KubeObject
  ref(name: string): ObjectRef
  /** Path of the case's objects of this kind. */
  readonly path: string
}

/** The CRD of a namespaced kind with a status and with fields of any kind. */
export function widgetCrd(c: CaseContext): KubeObject {
  const group = `${c.unique}.example.com`
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wdg'], categories: ['toys'] },
      versions: [
        { name: 'v1', served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: schema } },
      ],
    },
  }
}

const settleMs = 60_000

/** Installs the CRD and waits until its kind is served. */
export async function installWidgets(c: CaseContext, crd = widgetCrd(c)): Promise<OwnKind> {
  c.cleanUp(crd)
  await create(c, crd)
  const failures = await waitUntilEstablished(c.cluster, [refOf(crd)], settleMs, c.ctx)
  for (const failure of failures.values()) throw failure
  const kind = { group: `${c.unique}.example.com`, version: 'v1', kind: 'Widget' }
  await waitUntilServed(c.cluster, [kind], settleMs, c.ctx)
  return {
    ...kind,
    path: `/apis/${kind.group}/v1/namespaces/${c.namespace}/widgets`,
    object: (name, fields = {}) => ({
      apiVersion: formatApiVersion(kind),
      kind: kind.kind,
      metadata: { name, namespace: c.namespace },
      ...fields,
    }),
    ref: (name) => ({ ...kind, namespace: c.namespace, name }),
  }
}
