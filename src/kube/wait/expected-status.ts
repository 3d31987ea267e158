import {
  type Context,
  formatApiVersion,
  type GroupVersionKind,
  isLadingError,
  isRecord,
  type KubeObject,
} from '../../core/index.ts'
import { crdPromisesStatus, schemaPromisesStatus } from '../../schema/index.ts'
import type { Cluster } from '../cluster.ts'
import { getObject } from '../read/get.ts'

/** Tells whether a kind's objects get a status from a controller, as far as the cluster knows; asks once a kind. */
export type ExpectedStatus = (gvk: GroupVersionKind) => Promise<boolean>

/** The answers from the cluster's CRDs; who may not read those is answered from the published OpenAPI. */
export function expectedStatuses(cluster: Cluster, ctx: Context): ExpectedStatus {
  const answers = new Map<string, Promise<boolean>>()
  return (gvk) => {
    const key = `${formatApiVersion(gvk)} ${gvk.kind}`
    const answer = answers.get(key) ?? isPromised(cluster, gvk, ctx)
    answers.set(key, answer)
    return answer
  }
}

async function isPromised(cluster: Cluster, gvk: GroupVersionKind, ctx: Context): Promise<boolean> {
  const resource = await cluster.discovery.find(gvk, ctx)
  // Kinds of the core groups have rules of their own, or none on purpose.
  if (resource === undefined || !gvk.group.includes('.') || !resource.subresources.includes('status')) return false
  try {
    const crd = await readCrd(cluster, `${resource.resource}.${gvk.group}`, ctx)
    return crd !== undefined && crdPromisesStatus(crd, gvk.version)
  } catch (error) {
    if (!isLadingError(error, 'kube.forbidden')) throw error
    return publishedSchemaPromises(cluster, gvk, ctx)
  }
}

function readCrd(cluster: Cluster, name: string, ctx: Context): Promise<KubeObject | undefined> {
  const ref = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition', name }
  return getObject(cluster, ref, ctx)
}

async function publishedSchemaPromises(cluster: Cluster, gvk: GroupVersionKind, ctx: Context): Promise<boolean> {
  const path = `/openapi/v3/apis/${gvk.group}/${gvk.version}`
  try {
    const { body } = await cluster.transport.request({ method: 'GET', path }, ctx)
    const components = isRecord(body) && isRecord(body['components']) ? body['components']['schemas'] : undefined
    return (
      isRecord(components) &&
      Object.values(components).some((schema) => isSchemaOf(schema, gvk) && schemaPromisesStatus(schema))
    )
  } catch (error) {
    if (!isLadingError(error, 'kube.forbidden', 'kube.not-found')) throw error
    return false
  }
}

function isSchemaOf(schema: unknown, gvk: GroupVersionKind): boolean {
  const kinds = isRecord(schema) ? schema['x-kubernetes-group-version-kind'] : undefined
  if (!Array.isArray(kinds)) return false
  return kinds.some(
    (kind) =>
      isRecord(kind) && kind['group'] === gvk.group && kind['version'] === gvk.version && kind['kind'] === gvk.kind,
  )
}
