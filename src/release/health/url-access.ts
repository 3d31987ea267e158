import type { LookupAddress } from 'node:dns'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isLadingError, type KubeObject, LadingError } from '../../core/index.ts'
import { allowedHosts } from '../source/remote/allowed-hosts.ts'
import { parseCheck } from './parse-check.ts'

/** Which addresses the url checks of objects may ask: whoever wrote a chart chooses them, and may put into them what it looked up. */
export interface HealthUrls {
  /** Hosts that may be asked, each as HOST or HOST:PORT; none unless told. */
  readonly hosts?: readonly string[]
  /** Lets these hosts also be this machine and its link: loopback, unspecified and link-local addresses. */
  readonly local?: boolean
  /** Finds the addresses of a name; the system's resolver unless told. */
  readonly resolve?: (hostname: string) => Promise<readonly LookupAddress[]>
  /** Asks a URL at these addresses and gives the status of the answer. */
  readonly dial?: (url: URL, addresses: readonly LookupAddress[], signal: AbortSignal) => Promise<number>
}

/** Throws where an object asks for a url check of a host that is not allowed, before anything is written or sent. */
export function refuseHealthUrls(objects: readonly KubeObject[], access: HealthUrls | undefined): void {
  for (const object of objects) {
    const check = parseCheck(object)
    if (check?.type === 'url') demandHost(new URL(check.url), access)
  }
}

/** Asks a URL that is allowed, at the very addresses that were judged, and gives the status of the answer. */
export async function askUrl(text: string, access: HealthUrls | undefined, signal: AbortSignal): Promise<number> {
  const url = new URL(text)
  demandHost(url, access)
  const { isLocalAddress, openHostGuard } = await import('../../oci/index.ts')
  const addresses = await openHostGuard(access?.resolve).addresses(url.hostname)
  if (access?.local !== true && addresses.some(({ address }) => isLocalAddress(address))) {
    const problem = `the health check of ${url.host} leads to this machine or its link: allow that with --allow-local-health-url`
    throw new LadingError('health.url-refused', problem, { host: url.host })
  }
  return (access?.dial ?? dial)(url, addresses, signal)
}

/** Whether an error says that a check must not be run at all. */
export function isRefusedUrl(error: unknown): error is LadingError {
  return isLadingError(error, 'health.url-refused')
}

function demandHost(url: URL, access: HealthUrls | undefined): void {
  if (allowedHosts(access?.hosts ?? []).has(url.href)) return
  const problem = `the health check of ${url.host} is on a host that may not be asked: give --allow-health-url ${url.host} to allow it`
  throw new LadingError('health.url-refused', problem, { host: url.host })
}

// Follows no redirect, as the kubelet counts one as an answer, and reads nothing of what is answered.
async function dial(url: URL, addresses: readonly LookupAddress[], signal: AbortSignal): Promise<number> {
  const { pinnedLookup } = await import('../../oci/index.ts')
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const options = { agent: false, lookup: pinnedLookup(addresses), signal, headers: { 'user-agent': 'lading' } }
    const request = send(url, options, (answer) => {
      resolve(answer.statusCode ?? 0)
      answer.destroy()
    })
    request.on('error', reject)
    request.end()
  })
}
