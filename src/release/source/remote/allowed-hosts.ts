import { LadingError, stringifyJson } from '../../../core/index.ts'
import type { Fetch } from '../../../render/helm/index.ts'

/** The hosts that a build may fetch from. */
export interface AllowedHosts {
  has(url: string): boolean
  /** Throws for an address of another host, before anything is sent. */
  demand(url: string): void
}

/** Reads what `--allow-remote` gave: HOST for the usual ports of HTTP and HTTPS, or HOST:PORT; no patterns. */
export function allowedHosts(hosts: readonly string[]): AllowedHosts {
  const allowed = new Set(hosts.map(normalized))
  const has = (url: string): boolean => allowed.has(hostOf(url))
  return {
    has,
    demand(url) {
      if (has(url)) return
      const host = hostOf(url)
      const problem = `${shown(url)} is on a host that this build may not fetch from: give --allow-remote ${host} to allow it`
      throw new LadingError('kustomize.refused', problem, { host })
    },
  }
}

/** A fetch that sends nothing to a host that is not allowed, and follows no redirect to one. */
export function guardFetch(fetch: Fetch, hosts: AllowedHosts): Fetch {
  return async (url, options) => {
    hosts.demand(url)
    return fetch(url, {
      ...options,
      onRedirect(to) {
        hosts.demand(to)
        options.onRedirect?.(to)
      },
    })
  }
}

/** An address without user, password and query, which may hold tokens. */
export function shown(text: string): string {
  const url = URL.parse(text)
  return url === null ? text : `${url.protocol}//${url.host}${url.pathname}`
}

function normalized(host: string): string {
  const url = /[/@?#\s]/.test(host) ? null : URL.parse(`https://${host}`)
  if (url === null || url.hostname === '' || url.pathname !== '/') {
    throw new LadingError('usage.invalid', `${stringifyJson(host)} is no host: give HOST or HOST:PORT`, { host })
  }
  return url.host
}

function hostOf(text: string): string {
  // Of oci:// a URL knows no host.
  return URL.parse(text.replace(/^oci:/i, 'https:'))?.host ?? ''
}
