import { stringifyJson } from '../../../core/index.ts'
import type { WriteOptions } from '../../backend.ts'
import { forbiddenField, invalidValue, notSupported, required } from '../../kinds/causes.ts'
import { type Cause, invalid } from '../../status-error.ts'
import type { ApiRequest } from '../handle.ts'
import { switchOf } from '../parameters.ts'

/** How a write was asked for, by its query; what makes no sense is refused in the name of the options' own kind. */
export function readWriteOptions(request: ApiRequest, warnings: string[]): WriteOptions {
  const { query, method } = request
  const dryRun = query.getAll('dryRun')
  const fieldManager = query.get('fieldManager') ?? ''
  const validation = query.get('fieldValidation') ?? ''
  const applies = request.contentType.startsWith('application/apply-patch')
  const causes = [
    ...(method === 'PATCH' ? patchCauses(query, fieldManager, applies) : []),
    ...managerCauses('fieldManager', fieldManager),
    ...dryRunCauses(dryRun),
    ...(isValidation(validation)
      ? []
      : [notSupported('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn'])]),
  ]
  if (causes.length > 0) throw refusedOptions(kinds[method] ?? 'UpdateOptions', causes)
  return {
    dryRun: dryRun.length > 0,
    // Without a name the writer is known by the first word of its user agent.
    fieldManager: fieldManager === '' ? printable(request.userAgent.split('/')[0] ?? '') : fieldManager,
    fieldValidation: isValidation(validation) && validation !== '' ? validation : 'Warn',
    force: switchOf(query, 'force') === true,
    subresource: request.info.subresource ?? '',
    warnings,
    ...(request.checkCreate === undefined || method === 'POST' ? {} : { checkCreate: request.checkCreate }),
  }
}

/** What is wrong with `dryRun`: the only stage that can be asked for is all of them. */
export function dryRunCauses(dryRun: readonly string[]): Cause[] {
  if (dryRun.every((value) => value === 'All')) return []
  const value = `[]string{${dryRun.map((one) => stringifyJson(one)).join(', ')}}`
  const message = `Unsupported value: ${value}: supported values: "All"`
  return [{ reason: 'FieldValueNotSupported', message, field: 'dryRun' }]
}

/** The refusal of options that came with a request. */
export function refusedOptions(kind: string, causes: readonly Cause[]): Error {
  return invalid({ group: 'meta.k8s.io', resource: '', kind }, '', causes)
}

/** What is wrong with the name of a field manager. */
function managerCauses(field: string, manager: string): Cause[] {
  const causes: Cause[] = []
  if (Buffer.byteLength(manager) > 128) {
    causes.push({ reason: 'FieldValueTooLong', message: 'Too long: may not be more than 128 bytes', field })
  }
  const bad = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(manager)
  if (bad !== null) {
    const code = (bad[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    causes.push(invalidValue(field, manager, `invalid character U+${code} (at position ${bad.index})`))
  }
  return causes
}

const kinds: Readonly<Record<string, string>> = { POST: 'CreateOptions', PUT: 'UpdateOptions', PATCH: 'PatchOptions' }

function patchCauses(query: URLSearchParams, fieldManager: string, applies: boolean): Cause[] {
  if (applies) return fieldManager === '' ? [required('fieldManager', 'is required for apply patch')] : []
  return query.has('force') ? [forbiddenField('force', 'may not be specified for non-apply patch')] : []
}

function isValidation(value: string): value is '' | WriteOptions['fieldValidation'] {
  return ['', 'Strict', 'Warn', 'Ignore'].includes(value)
}

/** A user agent as a manager's name: only what can be printed, and no more than fits. */
function printable(agent: string): string {
  return agent.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '').slice(0, 128)
}
