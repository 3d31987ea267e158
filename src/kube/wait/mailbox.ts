/** News from many senders, taken by one reader. */
export interface Mailbox<T> {
  post(news: T): void
  /** Everything that came since the last time; waits while there is nothing. */
  take(): Promise<T[]>
}

/** An empty mailbox. */
export function createMailbox<T>(): Mailbox<T> {
  let news: T[] = []
  let wake = (): void => undefined
  return {
    post(one) {
      news.push(one)
      wake()
    },
    async take() {
      if (news.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      const taken = news
      news = []
      return taken
    },
  }
}
