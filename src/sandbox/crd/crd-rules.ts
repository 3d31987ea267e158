import { isRecord, type KubeObject } from '../../core/index.ts'
import type { KindRules } from '../kinds/kind-rules.ts'
import { cleanupFinalizer, crdSpec } from './crd-spec.ts'
import { withCondition } from './conditions.ts'
import { validateCrd } from './validate-crd.ts'

/** How CustomResourceDefinitions behave. */
export const crdRules: KindRules = {
  generation: true,

  complete(crd) {
    if (!isRecord(crd['spec'])) return
    const { spec } = crd
    const names = isRecord(spec['names']) ? { ...spec['names'] } : {}
    if (typeof names['kind'] === 'string' && names['kind'] !== '') {
      names['singular'] ??= names['kind'].toLowerCase()
      names['listKind'] ??= `${names['kind']}List`
    }
    spec['names'] = names
    spec['conversion'] ??= { strategy: 'None' }
    if (spec['preserveUnknownFields'] === false) delete spec['preserveUnknownFields']
  },

  prepareCreate(crd) {
    crd['status'] = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: storageNames(crd) }
  },

  prepareUpdate(crd) {
    const status = isRecord(crd['status']) ? crd['status'] : {}
    const stored = Array.isArray(status['storedVersions']) ? (status['storedVersions'] as unknown[]) : []
    const added = storageNames(crd).filter((name) => !stored.includes(name))
    if (added.length > 0) crd['status'] = { ...status, storedVersions: [...stored, ...added] }
  },

  // The API server marks a definition so that its objects are deleted before it goes.
  prepareDelete(crd, env) {
    if (crd.metadata.deletionTimestamp !== undefined) return crd
    const marked = withCondition(crd, env.now, {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    })
    const finalizers = [
      ...(crd.metadata.finalizers ?? []).filter((name) => name !== cleanupFinalizer),
      cleanupFinalizer,
    ]
    return { ...marked, metadata: { ...marked.metadata, finalizers } }
  },

  validate: (crd, old) => validateCrd(crd, old),
}

function storageNames(crd: KubeObject): string[] {
  const storage = crdSpec(crd).versions.find((version) => version.storage === true)
  return storage?.name === undefined ? [] : [storage.name]
}
