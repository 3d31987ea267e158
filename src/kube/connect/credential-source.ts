import { isDeepStrictEqual } from 'node:util'
import { type Clock, type Context, isLadingError, monotonicNow } from '../../core/index.ts'
import { unlessAborted } from '../transport/abort.ts'
import type { Connection, Credentials } from './connection.ts'

/** Gives the credentials of a connection. */
export type CredentialSource = Pick<Connection, 'credentials' | 'refresh'>

/** Credentials and until when they are used, by either clock. */
export interface Lease {
  readonly credentials: Credentials
  /** When they expire, in milliseconds since the epoch, where they say so. */
  readonly until?: number
  /** When they are to be obtained again, on the monotonic scale. */
  readonly freshUntil?: number
}

/** Credentials that never change. */
export function fixedSource(credentials: Credentials): CredentialSource {
  return { credentials: () => credentials }
}

/** Credentials that are obtained again when their time is over or the API server refuses them, once for all who wait. */
export function leasedSource(obtain: (ctx: Context) => Promise<Lease>): CredentialSource {
  let current: Lease | undefined
  let obtaining: Promise<Credentials> | undefined

  async function replace(ctx: Context): Promise<Credentials> {
    const { credentials, ...times } = await obtain(ctx)
    // Equal credentials stay the same value, so that nobody tries twice with what was refused.
    const same = current !== undefined && isDeepStrictEqual(current.credentials, credentials)
    current = { credentials: same ? (current as Lease).credentials : credentials, ...times }
    return current.credentials
  }

  async function renew(ctx: Context): Promise<Credentials> {
    for (;;) {
      obtaining ??= replace(ctx).finally(() => (obtaining = undefined))
      try {
        return await unlessAborted(obtaining, ctx.signal)
      } catch (error) {
        // Somebody else's attempt was cancelled; this caller still wants the answer.
        if (ctx.signal.aborted || !isLadingError(error, 'cancelled', 'timeout')) throw error
      }
    }
  }

  return {
    credentials: (ctx) => (current !== undefined && isFresh(current, ctx.clock) ? current.credentials : renew(ctx)),
    async refresh(refused, ctx) {
      if (current !== undefined && current.credentials !== refused) return true
      return (await renew(ctx)) !== refused
    },
  }
}

function isFresh({ until = Infinity, freshUntil = Infinity }: Lease, clock: Clock): boolean {
  return clock.now() < until && monotonicNow(clock) < freshUntil
}
