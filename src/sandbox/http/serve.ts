import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { stringifyJson } from '../../core/index.ts'
import { type ApiRequest, handle } from '../api/handle.ts'
import { parseRequestInfo } from '../api/request-info.ts'
import { type ResourceRequest, resourceRequest } from '../api/resource-request.ts'
import type { Authenticator } from '../auth/authentication/authenticator.ts'
import { impersonate } from '../auth/authentication/impersonate.ts'
import { authorize } from '../auth/authorization/authorize.ts'
import type { Reviews } from '../auth/reviews.ts'
import type { Backend } from '../backend.ts'
import { type Control, controlRoot } from '../faults/control.ts'
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

/** A document that is not an object, such as discovery and OpenAPI. */
export interface FixedAnswer {
  readonly body: unknown
  /** Default: JSON, or plain text for a string. */
  readonly contentType?: string
}

/** Answers discovery, OpenAPI, version and health. Returns undefined for every other path, given in its segments. */
export type StaticRoutes = (parts: readonly string[], request: IncomingMessage) => FixedAnswer | undefined

/** What the API server is assembled from. */
export interface ServeParts {
  readonly backend: Backend
  readonly routes: StaticRoutes
  readonly authenticator: Authenticator
  readonly reviews: Reviews
  readonly faults: Faults
  readonly control: Control
  readonly scripts: Scripts
  /** Resolves once everything written so far is on disk; undefined if the sandbox keeps nothing. */
  readonly kept: (() => Promise<void>) | undefined
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
  // This check comes first: version, discovery and health need no token, and web pages must not reach them.
  if (!isLocalRequest(request)) throw new StatusError(403, 'Forbidden', 'this API server is for this machine alone')
  const { store, catalog, clock } = parts.backend
  const url = new URL(request.url ?? '/', 'http://sandbox')
  const method = request.method ?? 'GET'
  const info = parseRequestInfo(method, url.pathname, url.searchParams)
  const user = impersonate(parts.authenticator.authenticate(request), request, store)
  authorize(store, user, info)
  if (info.parts[0] === controlRoot) {
    sendJson(response, 200, parts.control(method, info.parts, url.searchParams, await readRequestBody(request)))
    return
  }
  const struck = parts.faults.strike(info)
  const spoilt = (when: 'before' | 'after'): Promise<boolean> =>
    inject(parts.faults, struck, when, info, response, clock)
  if (struck.length > 0 && (await spoilt('before'))) return
  const fixed = parts.routes(info.parts, request)
  if (fixed !== undefined) {
    sendJson(response, 200, fixed.body, fixed.contentType === undefined ? {} : { 'content-type': fixed.contentType })
    return
  }
  const wanted = resourceRequest(info, catalog)
  const checkCreate = (): void => authorize(store, user, { ...info, verb: 'create' })
  if (wantsContainer(wanted)) return await answerPod(parts, wanted, url.searchParams, checkCreate, response)
  const apiRequest = await readRequest(request, wanted, url.searchParams, checkCreate)
  const format = negotiate(request.headers.accept ?? '', apiRequest, clock)
  if (wanted.verb === 'watch') {
    answerWatch(parts, apiRequest, format, response, struck)
    return
  }
  const result = parts.reviews(apiRequest, user) ?? handle(parts.backend, apiRequest)
  if (method !== 'GET') await parts.kept?.()
  if (struck.length > 0 && (await spoilt('after'))) return
  const warnings = result.warnings.map((text) => `299 - ${stringifyJson(text)}`)
  const body = format.answer(result.body)
  sendJson(response, result.code, body, warnings.length > 0 ? { warning: warnings } : {})
}

async function answerPod(
  { backend, scripts }: Serving,
  info: ResourceRequest,
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
  info: ResourceRequest,
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
