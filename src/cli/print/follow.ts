import { type Context, type LadingEvent, stringifyJson } from '../../core/index.ts'
import type { Io } from '../io.ts'
import { printEvents } from './print-events.ts'
import type { ProgressStyle } from '../options/release-options.ts'

/** Follows a long operation in the style that was asked for, on stderr; gives what the operation returned. */
export async function follow<Result>(
  events: AsyncGenerator<LadingEvent, Result>,
  { title, progress = 'auto' }: { readonly title: string; readonly progress?: ProgressStyle | undefined },
  io: Io,
  ctx: Context,
): Promise<Result> {
  switch (progress) {
    case 'plain':
      return printEvents(events, io)
    case 'json':
      return drain(events, (event) => io.stderr.write(`${stringifyJson(event)}\n`))
    case 'none':
      return drain(events, () => undefined)
    case 'auto': {
      if (io.stderr.isTTY !== true || io.env['TERM'] === 'dumb') return printEvents(events, io)
      const { showLive } = await import('./live-view.ts')
      return showLive(events, title, io, ctx)
    }
  }
}

async function drain<Result>(
  events: AsyncGenerator<LadingEvent, Result>,
  each: (event: LadingEvent) => unknown,
): Promise<Result> {
  for (;;) {
    const next = await events.next()
    if (next.done === true) return next.value
    each(next.value)
  }
}
