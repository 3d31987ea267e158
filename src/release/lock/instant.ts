import { type Clock, monotonicNow } from '../../core/index.ts'

/** An instant by both clocks: a monotonic one may stand still while a machine is suspended, the time of day may be set. */
export interface Instant {
  readonly wall: number
  readonly monotonic: number
}

/** The instant of now. */
export function instant(clock: Clock): Instant {
  return { wall: clock.now(), monotonic: monotonicNow(clock) }
}

/** The time since then, by the clock that says more: for who must have stopped by a deadline. */
export function mostElapsed(since: Instant, clock: Clock): number {
  return Math.max(...elapsed(since, clock))
}

function elapsed({ wall, monotonic }: Instant, clock: Clock): [number, number] {
  const now = instant(clock)
  return [now.wall - wall, now.monotonic - monotonic]
}
