import type { KubeObject, OwnerReference } from '../../../core/index.ts'
import { StatusError } from '../../status-error.ts'
import { partOf, text } from '../../object-parts.ts'
import type { ControllerEnv } from '../controller.ts'
import { recordEvent } from '../events.ts'
import { selects } from '../../label-selector.ts'
import { createAs, deleteAs, type NewObject, setMetadata } from '../writes.ts'

const manager = 'kube-controller-manager'

/** The reference by which a controller's objects name it. */
export function controllerRef(owner: KubeObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  }
}

/** A Pod as the template of its owner describes it, not stored yet. */
export function podFromTemplate(
  owner: KubeObject,
  template: Record<string, unknown>,
  extra: {
    name?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
    finalizers?: string[]
  } = {},
): NewObject {
  const metadata = partOf(template, 'metadata')
  const annotations = { ...partOf(metadata, 'annotations'), ...extra.annotations } as Record<string, string>
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${owner.metadata.name}-`,
      ...(extra.name === undefined ? {} : { name: extra.name }),
      namespace: owner.metadata.namespace ?? '',
      labels: { ...partOf(metadata, 'labels'), ...extra.labels } as Record<string, string>,
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
      ownerReferences: [controllerRef(owner)],
      ...(extra.finalizers === undefined ? {} : { finalizers: extra.finalizers }),
    },
    spec: partOf(template, 'spec'),
  }
}

/** Creates a Pod and tells of it; a refusal is told of too, and handed back. */
export function createPod(
  env: ControllerEnv,
  component: string,
  owner: KubeObject,
  pod: NewObject,
): KubeObject | StatusError {
  try {
    const created = createAs(env.backend, manager, pod)
    const message = `Created pod: ${created.metadata.name}`
    recordEvent(env.backend, component, owner, { type: 'Normal', reason: 'SuccessfulCreate', message })
    return created
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    const message = `Error creating: ${error.message}`
    recordEvent(env.backend, component, owner, { type: 'Warning', reason: 'FailedCreate', message })
    return error
  }
}

/** Deletes a Pod and tells of it. */
export function deletePod(env: ControllerEnv, component: string, owner: KubeObject, pod: KubeObject): void {
  deleteAs(env.backend, pod)
  const message = `Deleted pod: ${pod.metadata.name}`
  recordEvent(env.backend, component, owner, { type: 'Normal', reason: 'SuccessfulDelete', message })
}

/**
 * The objects of a collection that belong to a controller: those it controls, and those that its selector fits and nobody
 * controls, which it takes. What the selector no longer fits is let go.
 */
export function claim(env: ControllerEnv, owner: KubeObject, collection: string): KubeObject[] {
  const selector = partOf(owner, 'spec')['selector']
  const { namespace = '', deletionTimestamp } = owner.metadata
  const own = env.index.controlled(owner, collection)
  if (deletionTimestamp !== undefined) return own
  const kept = own.filter((object) => selects(selector, object) || !release(env, owner, object))
  for (const object of env.index.orphans(collection, namespace)) {
    if (object.metadata.deletionTimestamp !== undefined || !selects(selector, object)) continue
    const ownerReferences = [...(object.metadata.ownerReferences ?? []), controllerRef(owner)]
    kept.push(setMetadata(env.backend, manager, object, { ownerReferences }))
  }
  return kept
}

function release(env: ControllerEnv, owner: KubeObject, object: KubeObject): true {
  const ownerReferences = (object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid)
  setMetadata(env.backend, manager, object, { ownerReferences })
  return true
}

/** Whether a Pod has not ended and is not being deleted. */
export function isActive(pod: KubeObject): boolean {
  return pod.metadata.deletionTimestamp === undefined && !isEnded(pod)
}

/** Whether a Pod has ended, well or badly. */
export function isEnded(pod: KubeObject): boolean {
  const phase = text(partOf(pod, 'status')['phase'])
  return phase === 'Succeeded' || phase === 'Failed'
}
