import { unknownFieldPaths } from '../../../schema/index.ts'
import type { WriteOptions } from '../../backend.ts'
import type { ResourceType } from '../../resource-type.ts'
import { badRequest } from '../../status-error.ts'

/** What `fieldValidation` asks for: fields that the type does not have are refused, warned of, or ignored. */
export function checkFields(type: ResourceType, body: Record<string, unknown>, options: WriteOptions): void {
  if (options.fieldValidation === 'Ignore') return
  if (options.fieldValidation === 'Warn') {
    options.warnings.push(...strictTexts(type, body))
    return
  }
  const problem = strictProblem(type, body)
  if (problem === undefined) return
  throw badRequest(`${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${problem}`)
}

/** What strict decoding says of a body; undefined when it has nothing to say. */
export function strictProblem(type: ResourceType, body: Record<string, unknown>): string | undefined {
  const texts = strictTexts(type, body)
  return texts.length === 0 ? undefined : `strict decoding error: ${texts.join(', ')}`
}

function strictTexts(type: ResourceType, body: Record<string, unknown>): string[] {
  const found = type.schema === undefined ? [] : unknownFieldPaths(body, type.schema)
  // Custom resources have no order of fields but the alphabet's.
  const unknown = type.crd === undefined ? found : found.sort()
  return unknown.map((field) => `unknown field "${field}"`)
}
