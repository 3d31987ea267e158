import { onTestFinished } from 'vitest'
import type { Clock, LadingError } from '../../../core/index.ts'
import { type RegistryOptions as Embedded, startRegistry } from '../../../sandbox/index.ts'
import { staticCredential } from '../../credentials/credential.ts'
import type { Target } from '../../target.ts'
import { openRepository, type RegistryOptions } from '../open-repository.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'

/** The user that a registry with logins knows. */
export const user = { user: 'jane', password: 'open sesame' }

/** A registry behind a proxy that breaks what a test wants broken. */
interface Started {
  readonly proxy: FaultProxy
  readonly target: Target
  readonly open: (repository: string) => Target
}

/** Starts a registry and what breaks its answers; both end with the test. */
export async function start(embedded: Embedded = {}, options: RegistryOptions = {}): Promise<Started> {
  const registry = await startRegistry(embedded)
  onTestFinished(() => registry.stop())
  const proxy = await proxyTo(registry.host)
  const credentials = staticCredential(proxy.host, { username: user.user, password: user.password })
  const open = (repository: string): Target => {
    const name = { registry: proxy.host, repository }
    const target = openRepository(name, { plainHttp: true, credentials, ...options })
    onTestFinished(() => target.close())
    return target
  }
  return { proxy, target: open('app'), open }
}

/** Starts only what breaks answers. */
export async function proxyTo(host: string | undefined): Promise<FaultProxy> {
  const proxy = await startFaultProxy(host)
  onTestFinished(() => proxy.stop())
  return proxy
}

/** The code of the error that work fails with. */
export async function code(work: () => Promise<unknown>): Promise<string> {
  return work().then(
    () => 'it worked',
    (error: LadingError) => error.code,
  )
}

/** A clock whose time passes at once. */
export function instantClock(slept: number[]): Clock {
  let now = 1_700_000_000_000
  return {
    now: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      slept.push(ms)
      now += ms
    },
  }
}
