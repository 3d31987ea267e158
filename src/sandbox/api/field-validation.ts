import type { WriteOptions } from '../backend.ts'
import type { ResourceType } from '../resource-type.ts'
import { badRequest } from '../status-error.ts'
import { unknownFields } from './unknown-fields.ts'

/** What `fieldValidation` asks for: fields that the type does not have are refused, warned of, or ignored. */
export function checkFields(type: ResourceType, body: Record<string, unknown>, options: WriteOptions): void {
  if (options.fieldValidation === 'Ignore' || type.schema === undefined) return
  const found = unknownFields(type.schema, body)
  // Custom resources have no order of fields but the alphabet's.
  const unknown = type.crd === undefined ? found : found.sort()
  if (unknown.length === 0) return
  const texts = unknown.map((field) => `unknown field "${field}"`)
  if (options.fieldValidation === 'Warn') {
    options.warnings.push(...texts)
    return
  }
  const message = `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: strict decoding error: ${texts.join(', ')}`
  throw badRequest(message)
}
