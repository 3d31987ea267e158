import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, type Log, silentLog, systemClock } from '../../core/index.ts'
import { isLocalRequest } from '../http/local-request.ts'
import { type Access, basicAccess, type Credentials } from './access.ts'
import { answer, type Exchange } from './exchange.ts'
import { layoutStorage } from './storage/layout-storage.ts'
import { memoryStorage } from './storage/memory-storage.ts'
import { RegistryError } from './registry-error.ts'
import { registryRoute } from './route.ts'
import { Uploads } from './serve-uploads.ts'
import { tokenAccess, type TokenOptions } from './token-access.ts'

/** How to start a registry. */
export interface RegistryOptions {
  /** Port on 127.0.0.1 (default: a free one). */
  readonly port?: number
  /** In memory when it is not given; `layout` is a folder that holds an OCI image layout for each repository. */
  readonly storage?: 'memory' | { readonly layout: string }
  /** Anybody may do everything when it is not given. */
  readonly auth?: { readonly basic: Credentials } | { readonly token: TokenOptions }
  /** Refuses everything but reading. */
  readonly readOnly?: boolean
  /** The largest blob that is taken (default: one GiB). */
  readonly maxBlobBytes?: number
  readonly clock?: Clock
  readonly log?: Log
}

/** A running registry, over plain HTTP on the loopback address; `await using` stops it. */
export interface Registry extends AsyncDisposable {
  /** Host and port, as in a reference. */
  readonly host: string
  readonly url: string
  stop(): Promise<void>
}

/** Starts an OCI registry (distribution specification 1.1) in this process. */
export async function startRegistry(options: RegistryOptions = {}): Promise<Registry> {
  const { storage = 'memory', clock = systemClock, log = silentLog } = options
  const uploads = new Uploads(options.maxBlobBytes ?? 1024 ** 3)
  const route = registryRoute({
    storage: storage === 'memory' ? memoryStorage() : layoutStorage(storage.layout),
    uploads,
    access: accessOf(options.auth, clock),
    readOnly: options.readOnly === true,
  })
  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (request, response) => {
    void serveOne(route, request, response, log)
  })
  await listen(server, options.port ?? 0)
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
    await uploads.close()
  }
  return { host, url: `http://${host}`, stop, [Symbol.asyncDispose]: stop }
}

function accessOf(auth: RegistryOptions['auth'], clock: Clock): Access | undefined {
  if (auth === undefined) return undefined
  return 'basic' in auth ? basicAccess(auth.basic) : tokenAccess(auth.token, clock)
}

async function serveOne(
  route: (exchange: Exchange) => Promise<void>,
  request: IncomingMessage,
  response: ServerResponse,
  log: Log,
): Promise<void> {
  const exchange: Exchange = { request, response, url: urlOf(request) }
  response.setHeader('docker-distribution-api-version', 'registry/2.0')
  try {
    // Nobody has to log in here, so that a web page must not reach it.
    if (!isLocalRequest(request)) throw new RegistryError('DENIED', 'this registry is for this machine alone')
    await route(exchange)
  } catch (error) {
    // A client that left gets no answer, and one that has a part of its answer must see that it is not whole.
    if (response.headersSent || (request.destroyed && !request.complete)) response.destroy()
    else if (error instanceof RegistryError) answer(exchange, error.status, { ...error.headers }, error.toBody())
    else {
      log.error('the registry failed', { error, method: request.method, path: request.url })
      answer(exchange, 500, {}, { errors: [{ code: 'UNKNOWN', message: 'unknown error' }] })
    }
  }
}

function urlOf(request: IncomingMessage): URL {
  // What is no URL is no path that anything is served at.
  return URL.parse(`http://registry${request.url ?? '/'}`) ?? new URL('http://registry/')
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}
