import type { Context } from '../../core/index.ts'
import { createMailbox } from './mailbox.ts'
import { takeChange, type TrackedObject } from './tracked-object.ts'
import type { TargetNews } from './watch-targets.ts'
import { isWorkload, type PodNews } from './workload-pods.ts'

/** What may change the outcome of a wait. */
export type News =
  | TargetNews
  | PodNews
  | { readonly type: 'timeout' }
  | { readonly type: 'look-again' }
  /** A watch ended, which it never does while all is well. */
  | { readonly type: 'ended'; readonly error: unknown }

/** What runs during one wait, and ends with it. */
export interface WaitScope {
  /** Aborted when the wait ends. */
  readonly ctx: Context
  readonly tell: (news: News) => void
  /** Everything told since the last time; waits while there is nothing. */
  readonly news: () => Promise<News[]>
  /** Lets work go on in the background; its failure becomes news. */
  readonly run: (work: Promise<void>) => void
  /** Tells something later. */
  readonly tellAfter: (ms: number, news: News) => void
  readonly stop: () => void
  /** Stops, and waits until nothing runs any more. */
  readonly close: () => Promise<void>
}

/** Opens a scope inside the caller's context. */
export function openScope(ctx: Context): WaitScope {
  const controller = new AbortController()
  const inner: Context = { ...ctx, signal: AbortSignal.any([ctx.signal, controller.signal]) }
  const mail = createMailbox<News>()
  const tell = (news: News): void => mail.post(news)
  const running: Promise<void>[] = []
  const run = (work: Promise<void>): void => {
    running.push(work.catch((error: unknown) => tell({ type: 'ended', error })))
  }
  return {
    ctx: inner,
    tell,
    news: () => mail.take(),
    run,
    tellAfter: (ms, news) => run(ctx.clock.sleep(ms, inner.signal).then(() => tell(news))),
    stop: () => controller.abort(),
    close: async () => {
      controller.abort()
      await Promise.all(running)
    },
  }
}

/** Takes news in and gives the objects that need another look. */
export function takeNews(news: News, objects: readonly TrackedObject[]): TrackedObject[] {
  switch (news.type) {
    case 'changed':
      return takeChange(news.tracked, news.change) ? [news.tracked] : []
    case 'synced':
      return news.members.filter((member) => {
        if (member.presence === 'unseen') member.presence = 'absent'
        return member.presence === 'absent'
      })
    case 'pods':
      return objects.filter(({ ref, presence }) => {
        return presence === 'present' && isWorkload(ref) && (ref.namespace ?? '') === news.namespace
      })
    case 'look-again':
      return objects.filter((tracked) => tracked.failing !== undefined)
    case 'timeout':
    case 'ended':
      return []
  }
}
