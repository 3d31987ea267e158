import type { KubeObject, LadingError, LadingEvent } from '../../core/index.ts'
import { isLadingError } from '../../core/index.ts'
import { applySet, type ApplySetOptions, type ApplySetResult } from '../set/apply-set.ts'
import type { Cluster } from '../cluster.ts'
import { deleteSet, type DeleteSetOptions, type DeleteSetResult, type DeleteTarget } from '../delete/delete-set.ts'
import { at } from './apply-fixtures.ts'
import type { CaseContext } from './harness.ts'

/** All that a set operation told, and how it ended. */
export interface Told<R> {
  readonly events: readonly LadingEvent[]
  readonly result?: R
  readonly error?: LadingError
}

/** Applies a set to the end. */
export async function told(
  c: CaseContext,
  objects: readonly KubeObject[],
  options: ApplySetOptions = {},
  cluster: Cluster = c.cluster,
): Promise<Told<ApplySetResult>> {
  return await collect(applySet(cluster, objects, { namespace: c.namespace, ...options }, c.ctx))
}

/** Deletes a set to the end. */
export async function toldDelete(
  c: CaseContext,
  targets: readonly DeleteTarget[],
  options: DeleteSetOptions = {},
  cluster: Cluster = c.cluster,
): Promise<Told<DeleteSetResult>> {
  return await collect(deleteSet(cluster, targets, options, c.ctx))
}

/** Outcomes as `name action`, in the order they were told. */
export function outcomes({ events }: Told<unknown>): string[] {
  return events.flatMap((event) => (event.type === 'object' ? [`${event.ref.name} ${event.action}`] : []))
}

/** The stages in the order they started. */
export function stagesTold({ events }: Told<unknown>): string[] {
  return events.flatMap((event) => (event.type === 'stage-started' ? [event.stage] : []))
}

/** A ConfigMap of any name that leaves its namespace to the set. */
export function settings(name: string, data: Record<string, unknown> = { a: '1' }): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }
}

/** A CRD with a kind of its own for the case, and an object of that kind. */
export function gadgets(
  c: CaseContext,
  scope: 'Namespaced' | 'Cluster' = 'Namespaced',
): { crd: KubeObject; gadget: (name: string, spec?: Record<string, unknown>) => KubeObject } {
  const group = `${c.unique}.lading.example.com`
  const properties = { spec: { type: 'object', properties: { size: { type: 'integer', minimum: 1 } } } }
  const crd: KubeObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `gadgets.${group}` },
    spec: {
      group,
      scope,
      names: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget', listKind: 'GadgetList' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } },
      ],
    },
  }
  c.cleanUp(crd)
  const gadget = (name: string, spec: Record<string, unknown> = { size: 1 }): KubeObject => ({
    apiVersion: `${group}/v1`,
    kind: 'Gadget',
    metadata: { name },
    spec,
  })
  return { crd, gadget }
}

/** The object in the namespace of the case. */
export function inCase(c: CaseContext, object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, namespace: c.namespace } }
}

/** A namespace that is gone after the case. */
export function namespaceOf(c: CaseContext, name: string): KubeObject {
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
  c.cleanUp(object)
  return object
}

/** The failures of a set as `name code`. */
export function failures(details: unknown): string[] {
  const list = at(details, 'failures')
  if (!Array.isArray(list)) return []
  return list.map((failure) => `${String(at(failure, 'ref', 'name'))} ${String(at(failure, 'code'))}`)
}

async function collect<R>(run: AsyncGenerator<LadingEvent, R>): Promise<Told<R>> {
  const events: LadingEvent[] = []
  try {
    let next = await run.next()
    for (; next.done !== true; next = await run.next()) events.push(next.value)
    return { events, result: next.value }
  } catch (error) {
    if (!isLadingError(error)) throw error
    return { events, error }
  }
}
