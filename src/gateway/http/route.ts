import type { z } from 'zod'
import type { Context } from '../../core/index.ts'
import type { Principal } from '../auth/principal.ts'
import type { CallerClusters } from './caller-clusters.ts'

/** One request, parsed and with its sender known. */
export interface Call<Params, Query, Body> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly principal: Principal
  /** The clusters behind the gateway, as this principal sees them. */
  readonly clusters: CallerClusters
  readonly requestId: string
  /** The path and query that were asked for. */
  readonly url: string
  /** A header of the request; names are in lower case. */
  header(name: string): string | undefined
  readonly ctx: Context
}

/** What a handler answers. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; absent for an answer without a body. */
  readonly body?: unknown
  /** Sent as it comes instead of a body, for example server-sent events or log lines. */
  readonly stream?: AsyncIterable<string>
}

/** One answer of a route, for the OpenAPI document. */
export interface Answer {
  readonly description: string
  readonly schema?: z.ZodType
  /** The content type (default: application/json). */
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** How often a route may be called and who may: `read` routes change nothing. */
export type RouteAccess = 'public' | 'read' | 'write'

/** One operation of the HTTP API: the server, the OpenAPI document and the typed client are made from it. */
export interface Route<Params = unknown, Query = unknown, Body = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With parameters in braces, for example `/o2ims/v1/deployments/{id}`. */
  readonly path: string
  /** Unique; the name of the client's function. */
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly access: RouteAccess
  readonly params?: z.ZodType<Params>
  readonly query?: z.ZodType<Query>
  readonly body?: z.ZodType<Body>
  /** Answers by status; errors are added to the document for every route. */
  readonly answers: Readonly<Record<number, Answer>>
  handle(call: Call<Params, Query, Body>): Promise<Reply>
}

/** Declares a route; its parameters, query and body are typed by their schemas. */
export function defineRoute<Params, Query, Body>(route: Route<Params, Query, Body>): Route {
  return route
}
