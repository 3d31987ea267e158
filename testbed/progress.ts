import type { Context } from '../src/core/index.ts'

/**
 * Shows on stderr how long `work` takes and what it is at: rewritten each second on a terminal, else a new line every 30 seconds.
 */
export async function showProgress<T>(
  title: string,
  work: Promise<T>,
  detail: () => Promise<string>,
  ctx: Context,
): Promise<T> {
  const started = ctx.clock.now()
  const ended = new AbortController()
  const terminal = process.stderr.isTTY
  const write = (text: string, end = ''): void => {
    const line = `${title}: ${text}, ${Math.round((ctx.clock.now() - started) / 1000)} s`
    process.stderr.write(terminal ? `\r\u001B[K${line}${end}` : `${line}\n`)
  }
  const show = async (): Promise<void> => {
    for (;;) {
      write((await detail()) || 'started')
      await ctx.clock.sleep(terminal ? 1000 : 30_000, ended.signal)
    }
  }
  show().catch(() => undefined)
  try {
    return await work
  } finally {
    ended.abort()
    write('ended', '\n')
  }
}
