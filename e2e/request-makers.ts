import type { Request } from './random-writes.ts'

/** Parameters of a request. */
export type Query = Record<string, string | boolean>

/** A body, or a part of one. */
export type Body = Record<string, unknown>

/** Who writes. */
export const manager = { fieldManager: 'cases' }

/** A read. */
export function get(path: string, query: Query = {}): Request {
  return { method: 'GET', path, query }
}

/** A creation. */
export function post(path: string, body: unknown, query: Query = {}): Request {
  return { method: 'POST', path, body, query: { fieldManager: 'cases', ...query } }
}

/** A replacement. */
export function put(path: string, body: unknown): Request {
  return { method: 'PUT', path, body, query: manager }
}

/** A deletion. */
export function remove(path: string, body?: unknown, query: Query = {}): Request {
  return { method: 'DELETE', path, query, ...(body === undefined ? {} : { body }) }
}

/** A change. */
export function patch(
  type: 'merge' | 'json' | 'strategic' | 'apply',
  path: string,
  body: unknown,
  query: Query = {},
): Request {
  const types = {
    merge: 'application/merge-patch+json',
    json: 'application/json-patch+json',
    strategic: 'application/strategic-merge-patch+json',
    apply: 'application/apply-patch+yaml',
  }
  return { method: 'PATCH', path, body, contentType: types[type], query }
}

/** Metadata with a name. */
export function named(name: string): { metadata: { name: string } } {
  return { metadata: { name } }
}

/** A ConfigMap. */
export function map(name: string, metadata: Body = {}): Body {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } }
}

/** A ConfigMap that kubectl applied on the client. */
export function lastApplied(data: Body): Body {
  const applied = { ...map('moved'), data }
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(applied) }
  return { ...map('moved', { annotations }), data }
}

/** A custom resource. */
export function thing(inVersion: string, name: string, spec: Body): Body {
  return { apiVersion: `requests.lading.dev/${inVersion}`, kind: 'Thing', ...named(name), spec }
}

/** A Service. */
export function service(name: string, spec: Body): Body {
  return { apiVersion: 'v1', kind: 'Service', ...named(name), spec }
}

/** A request for a token. */
export function token(spec: Body): Body {
  return { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec }
}
