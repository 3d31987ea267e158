import type { WriteOptions } from '../backend.ts'
import type { ResourceType } from '../resource-type.ts'
import { StatusError } from '../status-error.ts'
import { unknownFields } from './unknown-fields.ts'

/** What `fieldValidation` asks for: fields that the type does not have are refused, warned of, or ignored. */
export function checkFields(type: ResourceType, body: Record<string, unknown>, options: WriteOptions): void {
  if (options.fieldValidation === 'Ignore' || type.schema === undefined) return
  const unknown = unknownFields(type.schema, body)
  if (unknown.length === 0) return
  const texts = unknown.map((field) => `unknown field "${field}"`)
  if (options.fieldValidation === 'Warn') {
    options.warnings.push(...texts)
    return
  }
  const message = `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: strict decoding error: ${texts.join(', ')}`
  // Custom resources are decoded without a Go type, so their refusal does not name one.
  throw new StatusError(
    400,
    'BadRequest',
    type.crd === undefined ? message : `strict decoding error: ${texts.join(', ')}`,
  )
}
