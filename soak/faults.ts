import { expectedWrites } from './content.ts'
import type { FaultKind, Round } from './draw-round.ts'
import type { Gate, ProxiedRequest, Verdict } from './proxy.ts'
import { type Random, randomOf } from './random.ts'
import type { LadingProcess } from './run-lading.ts'

/** What a fault can do to the world of a round. */
export interface FaultWorld {
  /** The process that the fault strikes; only faults of a process have one. */
  process(): LadingProcess
  /** Another user's operation, which takes the release over. */
  takeOver(): Promise<void>
  /** Gives the client a new token. */
  renewToken(): Promise<void>
  /** The token that the client has at first. */
  readonly firstToken: string
  /** Takes the rights of the client's account away, and resolves once the API server refuses it. */
  revoke(): Promise<void>
  /** Gives them back, and resolves once the API server allows it again. */
  grant(): Promise<void>
  /** The folder of the file store. */
  readonly storePath: string
}

/** A fault that is ready to strike. */
export interface ArmedFault {
  readonly gate: Gate
  /** How often it struck. */
  struck(): number
}

/** Whether the command runs as a process of its own: because the fault strikes the process, or because it leaves a lock whose holder has to be gone. */
export function needsProcess({ fault, variant }: Round): boolean {
  return ownProcess.has(fault) || variant === 'outage' || variant === 'renewed too late'
}

const ownProcess: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'sigkill',
  'sigstop',
  'rbac',
  'clock',
  'store-full',
  'output-full',
])

/** Makes the fault of a round ready. */
export function armFault(round: Round, world: FaultWorld): ArmedFault {
  const random = randomOf(round.seed + 1, round.number)
  switch (round.fault) {
    case 'sigkill':
      return atWrite(round, async (_, forward) => {
        if (round.variant === 'after the write') await forward()
        world.process().kill('SIGKILL')
        await world.process().ended
        return { type: 'cut' }
      })
    case 'sigstop':
      return atWrite(round, (_, forward) => stop(round.variant, world, forward))
    case 'clock':
      return atWrite(round, async () => {
        const sign = round.variant === '10 minutes ahead' ? 1 : -1
        await world.process().order({ type: 'clock', ms: sign * 600_000 })
        return undefined
      })
    case 'store-full': {
      const { gate } = atWrite(round, async () => {
        const room = round.variant === 'at the first byte' ? 0 : 100
        await world.process().order({ type: 'disk', folder: world.storePath, room })
        return undefined
      })
      return { gate, struck: () => world.process().failedWrites() }
    }
    case 'output-full':
      // The outputs of the process are full from its start.
      return { gate: {}, struck: () => 1 }
    case 'throttle':
    case 'server-error':
    case 'disconnect':
    case 'slow':
      return round.variant === 'outage' ? outage(round) : storm(round, random)
    case 'token':
      return expireToken(round, world)
    case 'rbac':
      return revokeRights(round, world)
  }
}

type Strike = (request: ProxiedRequest, forward: () => Promise<void>) => Promise<Verdict | undefined>

/** Strikes once, at the write that the round drew; `forward` lets the write arrive first. */
function atWrite(round: Round, strike: Strike): ArmedFault {
  const at = momentOf(round)
  let writes = 0
  let struck = 0
  // What strikes after the write goes on when its answer is there.
  const arrived = new Map<
    ProxiedRequest,
    { readonly answered: () => void; readonly verdict: Promise<Verdict | undefined> }
  >()
  return {
    struck: () => struck,
    gate: {
      async before(request) {
        if (!request.counted || ++writes !== at) return undefined
        struck += 1
        const answer = Promise.withResolvers<void>()
        const letThrough = Promise.withResolvers<undefined>()
        const forward = async (): Promise<void> => {
          letThrough.resolve(undefined)
          await answer.promise
        }
        const verdict = strike(request, forward)
        arrived.set(request, { answered: () => answer.resolve(), verdict })
        return await Promise.race([letThrough.promise, verdict])
      },
      async after(request) {
        const held = arrived.get(request)
        held?.answered()
        return await held?.verdict
      },
    },
  }
}

async function stop(variant: string, world: FaultWorld, forward: () => Promise<void>): Promise<Verdict | undefined> {
  if (variant === 'after the write') await forward()
  world.process().kill('SIGSTOP')
  try {
    await world.takeOver()
    // It was on the way all the time.
    if (variant === 'late write') await forward()
  } finally {
    world.process().kill('SIGCONT')
  }
  return variant === 'before the write' ? { type: 'cut' } : undefined
}

function momentOf(round: Round): number {
  // Before its first write, which takes the lock, a process has nothing to lose: it rightly works after the other one.
  const first = round.fault === 'sigstop' ? 2 : 1
  return Math.max(first, 1 + Math.floor(round.moment * expectedWrites(round)))
}

/** Strikes some of all requests, watches included. */
function storm({ fault, variant }: Round, random: Random): ArmedFault {
  let struck = 0
  const hits = (share: number): boolean => {
    const is = random.next() < share
    if (is) struck += 1
    return is
  }
  const pause = async (): Promise<undefined> => {
    await new Promise((resolve) => setTimeout(resolve, random.between(20, 400)))
    return undefined
  }
  const isBefore = variant !== 'after the write'
  const isAfter = variant === 'after the write' || variant === 'both'
  const answer = (status: number, reason: string, headers: Record<string, string> = {}): Verdict => ({
    type: 'answer',
    status,
    reason,
    headers,
  })
  const gates: Partial<Record<FaultKind, Gate>> = {
    throttle: {
      async before() {
        const retryAfter = variant === 'Retry-After 1' ? '1' : '0'
        return hits(0.15) ? answer(429, 'TooManyRequests', { 'retry-after': retryAfter }) : undefined
      },
    },
    'server-error': {
      async before() {
        if (!hits(0.12)) return undefined
        const is500 = variant === '500' || (variant === 'both' && random.next() < 0.5)
        return is500 ? answer(500, 'InternalError') : answer(503, 'ServiceUnavailable')
      },
    },
    disconnect: {
      before: async () => (isBefore && hits(0.1) ? { type: 'cut' } : undefined),
      after: async () => (isAfter && hits(0.1) ? { type: 'cut' } : undefined),
    },
    slow: {
      before: async () => (variant === 'before the write' && hits(0.3) ? await pause() : undefined),
      after: async () => (variant === 'after the write' && hits(0.3) ? await pause() : undefined),
      dripMs: () => (variant === 'dripping' && hits(0.3) ? random.between(5, 60) : undefined),
    },
  }
  return { gate: gates[fault] ?? {}, struck: () => struck }
}

/** From the drawn write on, no request gets through until the command has ended. */
function outage(round: Round): ArmedFault {
  const at = momentOf(round)
  let writes = 0
  let struck = 0
  return {
    struck: () => struck,
    gate: {
      async before(request) {
        if (request.counted) writes += 1
        if (writes < at) return undefined
        struck += 1
        if (round.fault === 'disconnect') return { type: 'cut' }
        return { type: 'answer', status: 503, reason: 'ServiceUnavailable' }
      },
    },
  }
}

/** From the drawn write on, the first token is refused. */
function expireToken(round: Round, world: FaultWorld): ArmedFault {
  const at = momentOf(round)
  let writes = 0
  let refused = 0
  const renewAfter = { 'renewed at once': 1, 'renewed after two requests': 2 }[round.variant]
  return {
    struck: () => refused,
    gate: {
      async before(request) {
        if (request.counted) writes += 1
        if (writes < at || request.token !== world.firstToken) return undefined
        refused += 1
        if (refused === renewAfter) await world.renewToken()
        return { type: 'answer', status: 401, reason: 'Unauthorized' }
      },
    },
  }
}

/** From the drawn write on, the API server itself refuses the account. */
function revokeRights(round: Round, world: FaultWorld): ArmedFault {
  const at = momentOf(round)
  let writes = 0
  let seen = 0
  let givenBack = false
  let revoking: Promise<void> | undefined
  return {
    struck: () => seen,
    gate: {
      async before(request) {
        if (request.counted) writes += 1
        if (writes < at) return undefined
        revoking ??= world.revoke()
        await revoking
        if (!givenBack) seen += 1
        return undefined
      },
      async after() {
        if (seen >= 2 && !givenBack && round.variant === 'given back after two requests') {
          givenBack = true
          await world.grant()
        }
        return undefined
      },
    },
  }
}
