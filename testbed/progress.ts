import type { Context } from '../src/core/index.ts'

/** A line on stderr that shows how long something takes. */
export interface Progress {
  /** What is being worked on just now. */
  readonly detail: (text: string) => void
  done(): void
  failed(): void
}

/** Shows `title` with the elapsed time: rewritten each second on a terminal, else a new line every 30 seconds. */
export function startProgress(title: string, ctx: Context): Progress {
  const started = ctx.clock.now()
  const ended = new AbortController()
  const terminal = process.stderr.isTTY
  let current = ''
  const write = (text: string, end: string): void => {
    const line = `${title}: ${text}, ${Math.round((ctx.clock.now() - started) / 1000)} s`
    process.stderr.write(terminal ? `\r\u001B[K${line}${end}` : `${line}\n`)
  }
  const show = async (): Promise<void> => {
    for (;;) {
      write(current === '' ? 'started' : current, '')
      await ctx.clock.sleep(terminal ? 1000 : 30_000, ended.signal)
    }
  }
  show().catch(() => undefined)
  const end = (text: string): void => {
    ended.abort()
    write(text, '\n')
  }
  return {
    detail: (text) => {
      current = text
    },
    done: () => end('done'),
    failed: () => end('failed'),
  }
}
