import { Readable } from 'node:stream'
import { abortError, isLadingError, type KubeObject, LadingError } from '../../core/index.ts'
import type { Addresses, Dial, Explain, ResolveName } from '../../net/index.ts'
import { allowedHosts } from '../source/remote/allowed-hosts.ts'
import { parseCheck } from './parse-check.ts'

/** Which URLs the health checks of objects may request: whoever wrote a chart chooses them, and may put looked-up values into them. */
export interface HealthUrls {
  /** Hosts that may be asked, each as HOST or HOST:PORT (default: none). */
  readonly hosts?: readonly string[]
  /** Lets these hosts also be this machine and its link: loopback, unspecified and link-local addresses (default: false). */
  readonly local?: boolean
  /** Resolves names (default: the system's resolver). */
  readonly resolve?: ResolveName
  /** Requests a URL at these addresses and gives the status of the answer; for tests. */
  readonly dial?: (url: URL, addresses: Addresses, signal: AbortSignal) => Promise<number>
}

/** Throws if an object wants a health check of a host that is not allowed, before anything is written or sent. */
export function refuseHealthUrls(objects: readonly KubeObject[], access: HealthUrls | undefined): void {
  for (const object of objects) {
    const check = parseCheck(object)
    if (check?.type === 'url') demandHost(new URL(check.url), access)
  }
}

/** Requests an allowed URL, at the addresses that were checked, and gives the status of the answer. */
export async function askUrl(text: string, access: HealthUrls = {}, signal: AbortSignal): Promise<number> {
  const url = new URL(text)
  demandHost(url, access)
  const { createNetwork } = await import('../../net/index.ts')
  const { resolve, dial } = access
  // Without a proxy: whether a service answers is asked of the service itself.
  const network = createNetwork({ env: {}, resolve, dial: dial && dialled(dial) }, explain)
  try {
    // Redirects are not followed, since the kubelet counts one as an answer; nothing of the answer is read.
    const request = { method: 'GET', url, headers: { 'user-agent': 'lading' } } as const
    const { status, body } = await network.send(request, access.local === true ? 'any' : 'not-local', signal)
    body.destroy()
    return status
  } finally {
    await network.close()
  }
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

const explain: Explain = (failure) => {
  const { host } = failure.url
  switch (failure.kind) {
    case 'cancelled':
      return abortError(failure.reason)
    case 'forbidden': {
      const problem = `the health check of ${host} leads to this machine or its link: allow that with --allow-local-health-url`
      return new LadingError('health.url-refused', problem, { host })
    }
    case 'tls':
    case 'timeout':
    case 'unreachable':
      return new LadingError('wait.failed', messageOf(failure.cause), { host }, { cause: failure.cause })
    case 'tunnel':
    case 'redirect':
      return new LadingError('wait.failed', `${host} cannot be asked`, { host })
  }
}

// Node tries all addresses of a name and gives the errors of all of them, with no message of their own.
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

function dialled(dial: NonNullable<HealthUrls['dial']>): Dial {
  return async ({ url }, addresses, signal) => {
    const status = await dial(url, addresses, signal)
    return { status, headers: {}, body: Readable.from([]), url }
  }
}
