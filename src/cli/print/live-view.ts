import { type Context, type LadingEvent, monotonicNow } from '../../core/index.ts'
import { paint } from './colour.ts'
import type { Io } from '../io.ts'
import { eventLine } from './print-events.ts'
import { paragraph } from './print-line.ts'
import { emptyView, frameLines, noteEvent, summaryLine, type View } from './view-frame.ts'

const frameMs = 100

/** Shows the events of a long operation in one place of a terminal, redrawn as they come; gives what the operation returned. */
export async function showLive<Result>(
  events: AsyncGenerator<LadingEvent, Result>,
  title: string,
  io: Io,
  ctx: Context,
): Promise<Result> {
  const screen = new Screen(title, io, ctx)
  const done = new AbortController()
  const drawing = keepDrawing(screen, ctx, done.signal)
  try {
    for (;;) {
      const next = await events.next()
      if (next.done === true) return next.value
      screen.note(next.value)
    }
  } finally {
    done.abort()
    await drawing
    screen.finish()
  }
}

// Drawn by time and not by event: thousands of objects come in the time of one frame, and the clock ticks when none does.
async function keepDrawing(screen: Screen, { clock }: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    screen.draw()
    await clock.sleep(frameMs, signal).catch(() => undefined)
  }
}

class Screen {
  #view: View
  #drawn: string[] = []
  readonly #io: Io
  readonly #ctx: Context
  readonly #startedAt: number
  readonly #colour: ReturnType<typeof paint>

  constructor(title: string, io: Io, ctx: Context) {
    this.#view = emptyView(title)
    this.#io = io
    this.#ctx = ctx
    this.#startedAt = monotonicNow(ctx.clock)
    this.#colour = paint(io.stderr, io.env)
  }

  note(event: LadingEvent): void {
    this.#view = noteEvent(this.#view, event)
    if (event.type !== 'hook' && event.type !== 'warning' && event.type !== 'progress') return
    const line = eventLine(event, this.#colour)
    if (line === undefined) return
    // What is said once stays above the part that is redrawn.
    this.#replace(`${paragraph(line).join('\n')}\n`)
    this.draw()
  }

  draw(): void {
    const { columns, rows } = this.#io.stderr
    // A terminal that does not know its size says 0.
    const room = { columns: columns || 80, rows: rows || 24 }
    const lines = frameLines(this.#view, { ...room, elapsedMs: this.#elapsed() }, this.#colour)
    if (lines.join('\n') === this.#drawn.join('\n')) return
    this.#replace(`${lines.join('\n')}\n`)
    this.#drawn = lines
  }

  finish(): void {
    const { objects } = this.#view
    const summary = objects.size === 0 ? '' : `${summaryLine(this.#view, this.#elapsed())}\n`
    this.#replace(summary)
  }

  #elapsed(): number {
    return monotonicNow(this.#ctx.clock) - this.#startedAt
  }

  /** Writes in the place of what is drawn. */
  #replace(text: string): void {
    const count = this.#drawn.length
    this.#drawn = []
    this.#io.stderr.replaceLines?.(count, text)
  }
}
