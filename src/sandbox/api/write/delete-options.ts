import { isRecord, stringifyJson } from '../../../core/index.ts'
import { invalidValue, notSupported } from '../../kinds/causes.ts'
import { badRequest } from '../../status-error.ts'
import { numberOf, switchOf } from '../parameters.ts'
import { dryRunCauses, refusedOptions } from './write-options.ts'

/** What a DELETE may say. */
export interface DeleteOptions {
  readonly dryRun: boolean
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground'
  readonly gracePeriodSeconds?: number
  readonly uid?: string
  readonly resourceVersion?: string
}

/** Reads DeleteOptions out of a body, or out of a query where there is no body, as the API server does. */
export function readDeleteOptions(body: unknown, query: URLSearchParams): DeleteOptions {
  const given = body === undefined ? ofQuery(query) : ofBody(body)
  const { propagationPolicy: policy, orphanDependents: orphans, gracePeriodSeconds: grace, dryRun } = given
  const causes = [
    ...(policy !== undefined && orphans !== undefined
      ? [invalidValue('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set')]
      : []),
    ...(policy === undefined || isPolicy(policy)
      ? []
      : [notSupported('propagationPolicy', policy, ['Foreground', 'Background', 'Orphan', 'nil'])]),
    ...dryRunCauses(dryRun),
  ]
  if (causes.length > 0) throw refusedOptions('DeleteOptions', causes)
  const old = orphans === undefined ? undefined : orphans ? 'Orphan' : 'Background'
  const propagationPolicy = policy !== undefined && isPolicy(policy) ? policy : old
  return {
    dryRun: dryRun.length > 0,
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...given.preconditions,
  }
}

interface Given {
  readonly propagationPolicy: string | undefined
  readonly orphanDependents: boolean | undefined
  readonly gracePeriodSeconds: number | undefined
  readonly dryRun: readonly string[]
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string }
}

function ofQuery(query: URLSearchParams): Given {
  return {
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    orphanDependents: switchOf(query, 'orphanDependents'),
    gracePeriodSeconds: numberOf(query, 'gracePeriodSeconds'),
    dryRun: query.getAll('dryRun'),
    preconditions: {},
  }
}

function ofBody(body: unknown): Given {
  if (!isRecord(body)) throw badRequest('the body of a DELETE is no DeleteOptions')
  const { kind = 'DeleteOptions', preconditions } = body
  if (kind !== 'DeleteOptions') throw badRequest(`no kind ${stringifyJson(kind)} is registered for DeleteOptions`)
  const required = isRecord(preconditions) ? preconditions : {}
  const uid = read(required, 'uid', 'string')
  const resourceVersion = read(required, 'resourceVersion', 'string')
  const stages: unknown[] = Array.isArray(body['dryRun']) ? body['dryRun'] : []
  return {
    propagationPolicy: read(body, 'propagationPolicy', 'string'),
    orphanDependents: read(body, 'orphanDependents', 'boolean'),
    gracePeriodSeconds: read(body, 'gracePeriodSeconds', 'number'),
    dryRun: stages.map(String),
    preconditions: {
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
  }
}

interface Kinds {
  readonly string: string
  readonly boolean: boolean
  readonly number: number
}

function read<Kind extends keyof Kinds>(
  part: Record<string, unknown>,
  field: string,
  kind: Kind,
): Kinds[Kind] | undefined {
  const value = part[field]
  if (value === undefined || value === null) return undefined
  if (typeof value === kind) return value as Kinds[Kind]
  throw badRequest(`json: cannot unmarshal ${typeof value} into Go struct field DeleteOptions.${field} of type ${kind}`)
}

function isPolicy(policy: string): policy is 'Orphan' | 'Background' | 'Foreground' {
  return policy === 'Orphan' || policy === 'Background' || policy === 'Foreground'
}
