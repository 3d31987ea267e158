import { isDeepStrictEqual } from 'node:util'
import { isRecord, type KubeObject } from '../../core/index.ts'
import { removeObject } from '../api/write/delete.ts'
import { storeChanged } from '../api/write/store-object.ts'
import { type Backend, timestamp, type WriteOptions } from '../backend.ts'
import { collectionOf } from '../resource-type.ts'
import { hasCondition, withCondition } from './conditions.ts'
import { cleanupFinalizer, crdSpec } from './crd-spec.ts'
import { conflictsOf, namesAfter } from './names.ts'

const crdCollection = 'apiextensions.k8s.io/customresourcedefinitions'

/** Establishes CustomResourceDefinitions soon after they are written, and empties them when they are deleted. Gives the way to stop. */
export function startCrdController(backend: Backend): () => void {
  const { store } = backend
  const due = new Set<string>()
  let timer: NodeJS.Immediate | undefined
  const enqueue = (name: string): void => {
    due.add(name)
    // A turn later, as the writer's answer must not show what the controller does.
    timer ??= setImmediate(() => {
      timer = undefined
      const names = [...due]
      due.clear()
      for (const each of names) sync(backend, each)
    })
  }
  const stop = store.listen((collection, event) => {
    if (collection === crdCollection) enqueue(event.object.metadata.name)
    else if (event.type === 'DELETED') {
      for (const crd of store.list(crdCollection)) {
        const terminating = crd.metadata.deletionTimestamp !== undefined
        if (terminating && instancesOf(crd) === collection) enqueue(crd.metadata.name)
      }
    }
  })
  for (const crd of store.list(crdCollection)) enqueue(crd.metadata.name)
  return () => {
    stop()
    clearImmediate(timer)
  }
}

function sync(backend: Backend, name: string): void {
  const crd = backend.store.get(crdCollection, '', name)
  if (crd === undefined) return
  if (crd.metadata.deletionTimestamp === undefined) accept(backend, crd)
  else if (crd.metadata.finalizers?.includes(cleanupFinalizer) === true) cleanUp(backend, crd)
}

/** Accepts the names unless another definition of the group has them, and establishes the definition with its first ones. */
function accept(backend: Backend, crd: KubeObject): void {
  const { group } = crdSpec(crd)
  const taken = conflictsOf(crd, backend.store.list(crdCollection))
  // The API server tells of the last conflict that it finds.
  const conflict = taken.at(-1)
  const now = timestamp(backend.clock)
  const accepted = namesAfter(crd, taken)
  let next = withCondition(
    { ...crd, status: { ...(isRecord(crd['status']) ? crd['status'] : {}), acceptedNames: accepted } },
    now,
    conflict === undefined
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : {
          type: 'NamesAccepted',
          status: 'False',
          reason: conflict.reason,
          message: `"${conflict.name}" is already in use`,
        },
  )
  if (!hasCondition(crd, 'Established')) {
    next = withCondition(
      next,
      now,
      conflict === undefined
        ? {
            type: 'Established',
            status: 'True',
            reason: 'InitialNamesAccepted',
            message: 'the initial names have been accepted',
          }
        : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
    )
  }
  const approval = crd.metadata.annotations?.['api-approved.kubernetes.io']
  if (approval?.startsWith('http') === true && /(^|\.)(k8s|kubernetes)\.io$/.test(group ?? '')) {
    next = withCondition(next, now, {
      type: 'KubernetesAPIApprovalPolicyConformant',
      status: 'True',
      reason: 'ApprovedAnnotation',
      message: `approved in ${approval}`,
    })
  }
  if (!isDeepStrictEqual(crd['status'], next['status'])) write(backend, crd, next, 'status')
}

/** Deletes the objects; the definition goes with the last of them. */
function cleanUp(backend: Backend, crd: KubeObject): void {
  const { store } = backend
  const { group = '', names } = crdSpec(crd)
  const collection = instancesOf(crd)
  const type = backend.catalog.ofGroupKind(group, names.kind ?? '')
  for (const object of store.list(collection)) {
    if (type !== undefined && object.metadata.deletionTimestamp === undefined) {
      removeObject(backend, type, object, { dryRun: false })
    }
  }
  if (store.list(collection).length === 0) {
    const finalizers = (crd.metadata.finalizers ?? []).filter((name) => name !== cleanupFinalizer)
    write(backend, crd, { ...crd, metadata: { ...crd.metadata, finalizers } }, '')
    return
  }
  const next = withCondition(crd, timestamp(backend.clock), {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionInProgress',
    message: 'CustomResource deletion is in progress',
  })
  if (!isDeepStrictEqual(crd, next)) write(backend, crd, next, 'status')
}

function write(backend: Backend, old: KubeObject, next: KubeObject, subresource: '' | 'status'): void {
  const type = backend.catalog.ofGroupKind('apiextensions.k8s.io', 'CustomResourceDefinition')
  if (type === undefined) return
  const options: WriteOptions = {
    dryRun: false,
    fieldManager: 'kube-apiserver',
    fieldValidation: 'Ignore',
    force: false,
    subresource,
    warnings: [],
  }
  storeChanged(backend, type, old, next, undefined, options)
}

function instancesOf(crd: KubeObject): string {
  const { group = '', names } = crdSpec(crd)
  return collectionOf({ group, resource: names.plural ?? '' })
}
