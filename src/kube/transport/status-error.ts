import { defined, type ErrorCode, isRecord, LadingError, type StatusCause } from '../../core/index.ts'
import { redactSecret } from '../apply/redact-secret.ts'
import { withoutQuery } from './request-target.ts'
import type { KubeRequest } from './transport.ts'

/** The headers of a response, by their names in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>

/** The refusal of a request as an error, classified by HTTP code, `reason` and `details.causes[].reason`, never by text. */
export function statusError(status: number, body: unknown, request: KubeRequest, headers: Headers = {}): LadingError {
  const facts = isRecord(body) && body['kind'] === 'Status' ? body : {}
  const about = isRecord(facts['details']) ? facts['details'] : {}
  const reason = textOf(facts['reason'])
  const said = (value: unknown): string | undefined => redactSecret(textOf(value), request.body)
  const causes = causesOf(about['causes'], said)
  const retryAfterSeconds = retryAfter(headers['retry-after']) ?? positive(about['retryAfterSeconds'])
  const message =
    said(facts['message']) ?? `the API server answered ${status} to ${request.method} ${withoutQuery(request.path)}`
  const details = {
    status,
    reason,
    kind: textOf(about['kind']),
    name: textOf(about['name']),
    group: textOf(about['group']),
    causes: causes.length > 0 ? causes : undefined,
    retryAfterSeconds,
  }
  return new LadingError(codeOf(status, reason, causes), message, defined(details))
}

/** Seconds of a `Retry-After` header; the date form is not used by API servers and is ignored. */
export function retryAfter(value: string | undefined): number | undefined {
  return value === undefined ? undefined : positive(Number(value))
}

function codeOf(status: number, reason: string | undefined, causes: readonly StatusCause[]): ErrorCode {
  switch (status) {
    case 401:
      return 'kube.unauthorized'
    case 403:
      return hasCause(causes, 'NamespaceTerminating') ? 'kube.namespace-terminating' : 'kube.forbidden'
    case 404:
      return 'kube.not-found'
    case 405:
    case 406:
    case 415:
      return 'kube.unsupported'
    case 409:
      if (hasCause(causes, 'FieldManagerConflict')) return 'kube.field-conflict'
      if (hasCause(causes, 'NamespaceTerminating')) return 'kube.namespace-terminating'
      return reason === 'AlreadyExists' ? 'kube.already-exists' : 'kube.conflict'
    case 410:
      return 'kube.expired'
    case 422:
      return 'kube.invalid'
    case 429:
      return 'kube.throttled'
    case 504:
      return 'kube.timeout'
    default:
      return status >= 500 ? 'kube.server-error' : 'kube.bad-request'
  }
}

function hasCause(causes: readonly StatusCause[], reason: string): boolean {
  return causes.some((cause) => cause.reason === reason)
}

function causesOf(value: unknown, said: (text: unknown) => string | undefined): StatusCause[] {
  if (!Array.isArray(value)) return []
  return value.filter(isRecord).map((cause) =>
    defined({
      reason: textOf(cause['reason']),
      field: textOf(cause['field']),
      message: said(cause['message']),
    }),
  )
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
