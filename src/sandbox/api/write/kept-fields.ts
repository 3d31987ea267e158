import { isRecord, type KubeObject } from '../../../core/index.ts'
import { cloneJson } from '../../clone.ts'
import { allMetadata } from '../../kinds/kind-rules.ts'
import type { ResourceType } from '../../resource-type.ts'
import { emptyObject } from './decode-object.ts'

/** Restores the metadata that only the API server sets. */
export function keepSystemFields(old: KubeObject, next: KubeObject): void {
  const { metadata } = next
  for (const field of [
    'uid',
    'selfLink',
    'creationTimestamp',
    'generation',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ]) {
    if (old.metadata[field] === undefined) delete metadata[field]
    else metadata[field] = old.metadata[field]
  }
  if (old.metadata.resourceVersion !== undefined) metadata.resourceVersion = old.metadata.resourceVersion
}

/** Restores everything but the status, after a write to the `status` subresource. Kinds differ in which metadata they restore. */
export function keepAllButStatus(type: ResourceType, old: KubeObject, next: KubeObject): void {
  for (const key of Object.keys(next)) if (key !== 'status' && key !== 'metadata') delete next[key]
  for (const [key, value] of Object.entries(old)) if (key !== 'status' && key !== 'metadata') next[key] = value
  for (const field of statusKeeps(type)) {
    if (old.metadata[field] === undefined) delete next.metadata[field]
    else next.metadata[field] = old.metadata[field]
  }
}

function statusKeeps(type: ResourceType): readonly string[] {
  return type.rules.statusKeeps ?? (type.crd === undefined ? [] : allMetadata)
}

/** The subresource that adds ephemeral containers to a Pod and changes nothing else. */
export const ephemeral = 'ephemeralcontainers'

/** Restores everything but the ephemeral containers. */
export function keepAllButEphemeral(old: KubeObject, next: KubeObject): void {
  Object.assign(next, { ...withEphemeral(old, next), metadata: next.metadata })
  for (const field of allMetadata) {
    if (old.metadata[field] === undefined) delete next.metadata[field]
    else next.metadata[field] = old.metadata[field]
  }
}

/** The old object with the ephemeral containers of the new one. */
export function withEphemeral(old: KubeObject, next: KubeObject): KubeObject {
  const { ephemeralContainers } = isRecord(next['spec']) ? next['spec'] : {}
  const spec = isRecord(old['spec']) ? old['spec'] : {}
  return { ...old, spec: { ...spec, ...(ephemeralContainers === undefined ? {} : { ephemeralContainers }) } }
}

/** Restores the status: writes to the object itself do not change it. */
export function resetStatus(type: ResourceType, next: KubeObject, old: KubeObject | undefined): void {
  const kept = old === undefined ? emptyObject(type)['status'] : old['status']
  if (kept === undefined) delete next['status']
  else next['status'] = cloneJson(kept)
}
