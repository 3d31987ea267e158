import type { KubeObject } from '../../core/index.ts'
import { applyDefaults, prune, type SchemaNode, validateValue } from '../../schema/index.ts'
import { checkRules, hasRules } from '../crd/cel-rules.ts'
import { type Cause, forbidden } from '../status-error.ts'
import type { KindRules } from './kind-rules.ts'
import { newCauses } from './ratchet.ts'

/** How custom resources of one version of a CRD behave: pruned, completed and checked by their structural schema. */
export function customRules(
  crd: KubeObject,
  subject: { group: string; resource: string; kind: string },
  node: SchemaNode | undefined,
): KindRules {
  if (node === undefined) return { generation: true }
  const ruled = hasRules(node.raw)
  return {
    generation: true,
    complete(object) {
      const completed = applyDefaults(prune(object, node), node) as KubeObject
      for (const key of Object.keys(object)) if (!Object.hasOwn(completed, key)) delete object[key]
      Object.assign(object, completed)
    },
    prepareCreate(object) {
      if (crd.metadata.deletionTimestamp === undefined) return
      const why = 'create not allowed while custom resource definition is terminating'
      throw forbidden(subject, object.metadata.name, why)
    },
    validate(object, old) {
      const found = structureOf(object, node)
      const causes = old === undefined ? found : newCauses(found, object, old)
      if (!ruled) return causes
      if (causes.some(({ reason }) => blocking.has(reason))) return [...causes, unchecked]
      return [...causes, ...checkRules(node, object, old, '')]
    },
  }
}

const blocking = new Set([
  'FieldValueRequired',
  'FieldValueTypeInvalid',
  'FieldValueNotSupported',
  'FieldValueTooLong',
  'FieldValueTooMany',
])

/** Rules are not run on values that do not have the shape that the rules were written for. */
const unchecked: Cause = {
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  field: '<nil>',
}

function structureOf(object: KubeObject, node: SchemaNode): Cause[] {
  // The managers of fields are the server's own writing.
  const { managedFields: _, ...metadata } = object.metadata
  return validateValue({ ...object, metadata }, node)
    .filter(({ reason }) => reason !== 'UnknownField')
    .map(({ reason, message, path }) => ({ reason, message, field: path === '' ? '<nil>' : path }))
}
