import type { LadingEvent } from '../../core/index.ts'

/** An operation that goes on while something else is done. */
export interface Followed<R> {
  readonly events: readonly LadingEvent[]
  readonly result: Promise<R>
  /** Resolves with the first event that fits; rejects when the operation ends without one. */
  saw(fits: (event: LadingEvent) => boolean): Promise<LadingEvent>
}

/** Runs an operation to its end and keeps what it tells; a failure nobody asks for stays quiet. */
export function followEvents<R>(operation: AsyncGenerator<LadingEvent, R>): Followed<R> {
  const events: LadingEvent[] = []
  const listeners = new Set<() => void>()
  const run = async (): Promise<R> => {
    for (;;) {
      const next = await operation.next()
      if (next.done === true) return next.value
      events.push(next.value)
      for (const look of listeners) look()
    }
  }
  const result = run()
  result.catch(() => undefined)
  return {
    events,
    result,
    saw(fits) {
      const seen = new Promise<LadingEvent>((resolve) => {
        const look = (): void => {
          const event = events.find(fits)
          if (event !== undefined) resolve(event)
        }
        listeners.add(look)
        look()
      })
      const ended = result.then(() => {
        const event = events.find(fits)
        if (event === undefined) throw new Error(`it ended without that event: ${JSON.stringify(events)}`)
        return event
      })
      return Promise.race([seen, ended])
    },
  }
}

/** Fits the status event of one object. */
export function statusOf(name: string, status: string, text = ''): (event: LadingEvent) => boolean {
  return (event) =>
    event.type === 'status' && event.ref.name === name && event.status === status && event.message.includes(text)
}
