/** Time, handed in so that tests need no sleeping. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * Milliseconds that only ever grow, whatever is done to the time of day, and the same for all processes of a machine; `now` where a clock
   * has none. Read it with `monotonicNow`.
   */
  monotonic?(): number
  /** Resolves after `ms`, or rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Counted since the machine was started, unlike `performance.now`, so that processes can compare it.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(abortReason(signal))
      let timer: NodeJS.Timeout
      const onAbort = (): void => {
        clearTimeout(timer)
        reject(abortReason(signal))
      }
      const wait = (left: number): void => {
        timer = setTimeout(
          () => {
            if (left > longestTimer) return wait(left - longestTimer)
            signal?.removeEventListener('abort', onAbort)
            resolve()
          },
          Math.min(left, longestTimer),
        )
      }
      wait(ms)
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
}

/**
 * The time to measure durations and deadlines by, within one process or between processes of one machine: the time of day may be set while
 * something is waited for. Time stamps that are written, or were written by others, are compared by `now`.
 */
export function monotonicNow(clock: Clock): number {
  return clock.monotonic?.() ?? clock.now()
}

/** Node lets a longer timer end at once; a schedule may be years ahead. */
const longestTimer = 2 ** 31 - 1

/** A clock that stands still until it is moved by `advance`. */
export interface ManualClock extends Clock {
  /** Moves time on and wakes every sleeper whose time has come, in order. */
  advance(ms: number): Promise<void>
  /** Sets the time of day forward or, with a negative number, back: nobody is woken, and no time passes. */
  jump(ms: number): void
  /** How many sleepers wait. */
  readonly sleeping: number
}

/** A clock for tests, starting at `start`. */
export function manualClock(start = 0): ManualClock {
  let time = start
  let jumped = 0
  const sleepers: { at: number; wake: () => void }[] = []
  return {
    now: () => time + jumped,
    monotonic: () => time,
    jump(ms) {
      jumped += ms
    },
    get sleeping() {
      return sleepers.length
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(abortReason(signal))
        const sleeper = { at: time + ms, wake: resolve }
        sleepers.push(sleeper)
        signal?.addEventListener(
          'abort',
          () => {
            const index = sleepers.indexOf(sleeper)
            if (index >= 0) sleepers.splice(index, 1)
            reject(abortReason(signal))
          },
          { once: true },
        )
      }),
    async advance(ms) {
      const end = time + ms
      for (;;) {
        sleepers.sort((a, b) => a.at - b.at)
        const next = sleepers[0]
        if (next === undefined || next.at > end) break
        sleepers.shift()
        time = Math.max(time, next.at)
        next.wake()
        // Let what was woken run, so that it can sleep again within the same advance.
        await new Promise((resolve) => setImmediate(resolve))
      }
      time = end
    },
  }
}

function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new DOMException('The operation was aborted', 'AbortError')
}
