import type { IncomingHttpHeaders } from 'node:http'
import { LadingError, parseJson } from '../../core/index.ts'
import { redactSecret } from '../apply/redact-secret.ts'
import { withoutQuery } from './request-target.ts'
import { statusError } from './status-error.ts'
import type { KubeRequest, KubeResponse } from './transport.ts'
import { parseWarnings } from './warnings.ts'

/** What came back, before it is understood. */
export interface Reply {
  readonly ok: true
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** The response of a request that succeeded. */
export function readResponse(reply: Reply, request: KubeRequest): KubeResponse {
  const warnings = parseWarnings(reply.headers['warning']).map((text) => redactSecret(text, request.body))
  return { status: reply.status, headers: flatten(reply.headers), body: readBody(reply, request), warnings }
}

/** The refusal that a reply stands for. */
export function readRefusal(reply: Reply, request: KubeRequest): LadingError {
  let body: unknown
  try {
    body = isJson(reply.headers) ? parseJson(reply.text) : undefined
  } catch {
    // Something between us and the API server answered; its status code is all that counts.
  }
  return statusError(reply.status, body, request, flatten(reply.headers))
}

function readBody(reply: Reply, request: KubeRequest): unknown {
  if (!isJson(reply.headers)) return reply.text
  try {
    return parseJson(reply.text)
  } catch (cause) {
    // The parser's message quotes the text, which may be a Secret: only its class is kept.
    const message = `the API server answered ${request.method} ${withoutQuery(request.path)} with broken JSON`
    const reason = cause instanceof Error ? cause.name : 'unknown'
    throw new LadingError('kube.server-error', message, { status: reply.status, reason })
  }
}

function isJson(headers: IncomingHttpHeaders): boolean {
  return headers['content-type']?.includes('json') ?? false
}

function flatten(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  for (const name in headers) {
    const value = headers[name]
    if (Array.isArray(value)) headers[name] = value.join(', ')
  }
  return headers as Record<string, string | undefined>
}
