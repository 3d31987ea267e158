import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { stringifyJson } from '../../core/index.ts'
import { type ApiRequest, handle } from '../api/handle.ts'
import { switchOf } from '../api/parameters.ts'
import { parseRequest, type RequestInfo } from '../api/request-info.ts'
import type { Authorize } from '../auth/authorize-request.ts'
import { attributesOf } from '../auth/attributes.ts'
import type { Reviews } from '../auth/reviews.ts'
import type { Backend } from '../backend.ts'
import { type Control, controlPrefix } from '../faults/control.ts'
import type { FaultSpec } from '../faults/fault.ts'
import type { Faults } from '../faults/faults.ts'
import { inject, injectWatch } from '../faults/inject.ts'
import { PageNotFound, StatusError } from '../status-error.ts'
import { answerStreams } from '../streams/answer-streams.ts'
import type { Scripts } from '../streams/scripts.ts'
import { acceptUpgrades } from '../streams/accept-upgrades.ts'
import type { SelfSigned } from '../tls/self-signed.ts'
import { isLocalRequest } from './local-request.ts'
import { negotiate, type ResponseFormat } from './negotiate.ts'
import { readRequestBody } from './read-body.ts'
import { answerContainer, wantsContainer } from './stream-log.ts'
import { type LineBytes, lineBytes, streamWatch } from './stream-watch.ts'

/** A document that is no object. */
export interface FixedAnswer {
  readonly body: unknown
  /** Defaults to JSON, or plain text for a text. */
  readonly contentType?: string
}

/** Answers paths that are not objects: discovery, OpenAPI, versions, health. Undefined when the path is none of them. */
export type StaticRoutes = (path: string, request: IncomingMessage) => FixedAnswer | undefined

/** The parts that a sandbox's HTTP side is made of. */
export interface ServeParts {
  readonly backend: Backend
  readonly routes: StaticRoutes
  readonly authorize: Authorize
  readonly reviews: Reviews
  readonly faults: Faults
  readonly control: Control
  readonly scripts: Scripts
  /** Resolves once everything that was written so far is kept; absent when nothing is. */
  readonly kept?: () => Promise<void>
}

/** The listener that speaks the Kubernetes API over HTTP. */
export function apiListener(parts: ServeParts): RequestListener {
  const serving: Serving = { ...parts, bytesOf: lineBytes() }
  return (request, response) => {
    answer(serving, request, response).catch((error: unknown) => {
      const status = error instanceof StatusError ? error : internalError(error)
      if (response.headersSent) response.destroy()
      else if (status instanceof PageNotFound) sendJson(response, status.code, status.message)
      else sendJson(response, status.code, status.toStatus(), retryHeaders(status))
    })
  }
}

interface Serving extends ServeParts {
  readonly bytesOf: LineBytes
}

async function answer(parts: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Before anything is looked at: version, discovery and health need no token, and a web page must not reach them either.
  if (!isLocalRequest(request)) throw new StatusError(403, 'Forbidden', 'this API server is for this machine alone')
  const url = new URL(request.url ?? '/', 'http://sandbox')
  const method = request.method ?? 'GET'
  const wanted = attributesOf(method, url.pathname, url.searchParams)
  const user = parts.authorize(request, wanted)
  if (url.pathname.startsWith(controlPrefix)) {
    sendJson(response, 200, parts.control(method, url.pathname, url.searchParams, await readRequestBody(request)))
    return
  }
  const struck = parts.faults.strike(wanted)
  const spoilt = (when: 'before' | 'after'): Promise<boolean> =>
    inject(parts.faults, struck, when, wanted, response, parts.backend.clock)
  if (struck.length > 0 && (await spoilt('before'))) return
  const fixed = parts.routes(url.pathname, request)
  if (fixed !== undefined) {
    sendJson(response, 200, fixed.body, fixed.contentType === undefined ? {} : { 'content-type': fixed.contentType })
    return
  }
  const info = parseRequest(url.pathname, parts.backend.catalog)
  const checkCreate = (): void => void parts.authorize(request, { ...wanted, verb: 'create' })
  if (wantsContainer(info)) return await answerPod(parts, info, url.searchParams, checkCreate, response)
  const apiRequest = await readRequest(request, info, url.searchParams, checkCreate)
  const format = negotiate(request.headers.accept ?? '', apiRequest, parts.backend.clock)
  if (method === 'GET' && info.name === undefined && switchOf(url.searchParams, 'watch') === true) {
    answerWatch(parts, apiRequest, format, response, struck)
    return
  }
  const result = parts.reviews(apiRequest, user) ?? handle(parts.backend, apiRequest)
  if (method !== 'GET' && parts.kept !== undefined) await parts.kept()
  if (struck.length > 0 && (await spoilt('after'))) return
  const warnings = result.warnings.map((text) => `299 - ${stringifyJson(text)}`)
  const body = format.answer(result.body)
  sendJson(response, result.code, body, warnings.length > 0 ? { warning: warnings } : {})
}

async function answerPod(
  { backend, scripts }: Serving,
  info: RequestInfo,
  parameters: URLSearchParams,
  checkCreate: () => void,
  response: ServerResponse,
): Promise<void> {
  if (info.subresource === 'log') return answerContainer(backend, info, parameters, response)
  // What opens a WebSocket with GET needs the right to create as well (Kubernetes 1.35).
  checkCreate()
  await answerStreams(backend, scripts, info, parameters, response)
}

async function readRequest(
  request: IncomingMessage,
  info: RequestInfo,
  query: URLSearchParams,
  checkCreate: () => void,
): Promise<ApiRequest> {
  return {
    method: request.method ?? 'GET',
    info,
    query,
    contentType: request.headers['content-type'] ?? 'application/json',
    userAgent: request.headers['user-agent'] ?? '',
    body: await readRequestBody(request),
    checkCreate,
  }
}

function answerWatch(
  parts: Serving,
  request: ApiRequest,
  format: ResponseFormat,
  response: ServerResponse,
  struck: readonly FaultSpec[],
): void {
  const { info, query } = request
  const counted = injectWatch(parts.faults, struck, response, parts.backend.clock)
  streamWatch(
    parts.backend,
    info,
    query,
    response,
    (line) => {
      counted()
      return line.type === 'ERROR' ? line.object : format.line(line.object)
    },
    parts.bytesOf,
  )
}

function sendJson(
  response: ServerResponse,
  code: number,
  body: unknown,
  headers: Record<string, string | string[]> = {},
): void {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : `${stringifyJson(body)}\n`
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
  response.writeHead(code, { 'content-type': type, 'content-length': Buffer.byteLength(text), ...headers })
  response.end(text)
}

function retryHeaders(status: StatusError): Record<string, string> {
  const seconds = status.details?.retryAfterSeconds
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}

function internalError(error: unknown): StatusError {
  const message = error instanceof Error ? error.message : String(error)
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, {})
}

/** A server around a listener: over TLS when there is a certificate. */
export function createApiServer(listener: RequestListener, tls: SelfSigned | undefined): Server {
  const options = { keepAliveTimeout: 60_000, noDelay: true }
  const server =
    tls === undefined
      ? createServer(options, listener)
      : createTlsServer({ ...options, cert: tls.certificate, key: tls.key }, listener)
  acceptUpgrades(server, listener)
  return server
}
