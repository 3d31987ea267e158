import { createServer as createHttpServer } from 'node:http'
import { randomUUID } from 'node:crypto'
import { type FastifyInstance, fastify, type FastifyReply, type FastifyRequest } from 'fastify'
import { type Context, context, LadingError, toLadingError } from '../../core/index.ts'
import { authenticateRequest } from '../auth/authenticate-request.ts'
import type { Authenticator } from '../auth/principal.ts'
import { openApiDocument } from '../openapi/document.ts'
import { createDirectory, type GatewayCluster } from './caller-clusters.ts'
import { parseInput } from './parse-input.ts'
import { problemOf } from './problem.ts'
import { sendReply } from './send-reply.ts'
import type { Route } from './route.ts'

/** What a gateway is made of. */
export interface GatewayOptions {
  readonly clusters: readonly GatewayCluster[]
  readonly authenticators: readonly Authenticator[]
  readonly routes: readonly Route[]
  /** Largest body of a request in bytes (default: 1 MiB). */
  readonly bodyLimit?: number
}

/** The HTTP API, ready to listen. */
export interface Gateway extends AsyncDisposable {
  /** Listens, and gives the URL. */
  listen(where: { readonly host?: string; readonly port?: number }): Promise<string>
  /** Answers a request without a connection, for tests. */
  readonly inject: FastifyInstance['inject']
  /** Refuses new requests, lets those under way end, and stops. */
  close(): Promise<void>
}

const mebibyte = 1024 * 1024

/** Builds the HTTP API over clusters; nothing listens yet. */
export function createGateway(options: GatewayOptions, ctx: Context = context()): Gateway {
  const directory = createDirectory(options.clusters, ctx)
  const document = openApiDocument(options.routes)
  const fail = (request: FastifyRequest, reply: FastifyReply, failure: unknown): FastifyReply => {
    const error = refusalOf(failure)
    const problem = problemOf(error, request.id)
    if (problem.status >= 500) {
      ctx.log.error('request failed', { requestId: request.id, code: error.code, message: error.message })
    }
    if (problem.status === 401) reply.header('www-authenticate', 'Bearer realm="lading"')
    const wait = error.details as { retryAfterSeconds?: number }
    if (wait.retryAfterSeconds !== undefined) reply.header('retry-after', String(wait.retryAfterSeconds))
    return reply.status(problem.status).type('application/problem+json').send(JSON.stringify(problem))
  }

  const app = fastify({
    serverFactory: (handler) => createHttpServer(handler),
    bodyLimit: options.bodyLimit ?? mebibyte,
    requestTimeout: 60_000,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    routerOptions: { maxParamLength: 512 },
    exposeHeadRoutes: false,
    frameworkErrors(error, request, reply) {
      void fail(request as FastifyRequest, reply as unknown as FastifyReply, error)
    },
  })
  const stopping = new AbortController()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    /^application\/(?:[a-z0-9.+-]+\+)?json(?:;|$)/i,
    { parseAs: 'string' },
    (_request, body, done) => {
      try {
        done(null, parseBody(body as string))
      } catch (error) {
        done(error as Error)
      }
    },
  )
  app.setErrorHandler((error, request, reply) => fail(request, reply, error))
  app.setNotFoundHandler((request, reply) => fail(request, reply, noRoute(options.routes, request, reply)))

  for (const route of options.routes) {
    app.route({
      method: route.method,
      url: route.path.replace(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const gone = new AbortController()
        reply.raw.once(
          'close',
          () => reply.raw.writableFinished || gone.abort(new LadingError('cancelled', 'the client went away')),
        )
        const signal = AbortSignal.any([ctx.signal, gone.signal, stopping.signal])
        const principal = await authenticateRequest(route.access, options.authenticators, request.headers, signal)
        const answer = await route.handle({
          params: parseInput(route.params, 'path', request.params),
          query: parseInput(route.query, 'query', request.query),
          body: parseInput(route.body, 'body', request.body),
          principal,
          clusters: directory.forPrincipal(principal),
          requestId: request.id,
          url: request.url,
          header: (name) => oneHeader(request.headers[name]),
          ctx: { ...ctx, signal },
        })
        reply.header('x-request-id', request.id)
        return sendReply(reply, answer)
      },
    })
  }
  app.get('/openapi.json', (_request, reply) => reply.type('application/json').send(document))

  const close = async (): Promise<void> => {
    stopping.abort(new LadingError('gateway.stopping', 'the gateway is stopping'))
    await app.close()
  }
  return {
    listen: ({ host = '127.0.0.1', port = 0 }) => app.listen({ host, port }),
    inject: app.inject.bind(app),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function oneHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text, refusePrototype)
  } catch (error) {
    if (error instanceof LadingError) throw error
    throw new LadingError('request.invalid', `the body is not valid JSON: ${(error as Error).message}`)
  }
}

function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new LadingError('request.invalid', 'the body must not have a key named __proto__')
  return value
}

/** Fastify's own refusals as Lading's errors. */
function refusalOf(failure: unknown): LadingError {
  const code = (failure as { code?: unknown } | undefined)?.code
  const { message } = failure as Error
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new LadingError('input.too-large', 'the body is larger than the gateway accepts')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new LadingError('request.media-type', 'the body must be JSON')
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new LadingError('request.invalid', message)
    default:
      return toLadingError(failure)
  }
}

function noRoute(routes: readonly Route[], request: FastifyRequest, reply: FastifyReply): LadingError {
  const [path = ''] = request.url.split('?')
  const allowed = routes.filter((route) => matches(route.path, path)).map(({ method }) => method)
  if (allowed.length === 0) return new LadingError('request.no-route', `the gateway has nothing at ${path}`)
  reply.header('allow', [...new Set(allowed)].join(', '))
  return new LadingError('request.method', `${request.method} is not possible at ${path}`)
}

function matches(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')]
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith('{') || part === given[index])
}
