import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Tells those who wait that something changed in a file, by this process or by another. */
export interface ChangeSignal {
  notify(): void
  /** Keeps the process alive meanwhile: an idle runner has nothing else to live for. */
  wait(signal: AbortSignal): Promise<void>
  close(): void
}

/** Watches the files of a database, the one that is written ahead of it included. */
export function changeSignal(file: string): ChangeSignal {
  const waiting = new Set<() => void>()
  const notify = (): void => {
    for (const wake of waiting) wake()
  }
  let watcher: FSWatcher | undefined
  if (file !== ':memory:') {
    const name = basename(file)
    watcher = watch(dirname(file), { persistent: false }, (_event, changed) => {
      if (changed === null || changed.startsWith(name)) notify()
    })
    // The folder went away: whoever waits finds out by asking.
    watcher.on('error', notify)
  }
  return {
    notify,
    wait: (signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const wake = (): void => {
          signal.removeEventListener('abort', wake)
          waiting.delete(wake)
          if (waiting.size === 0) watcher?.unref()
          resolve()
        }
        waiting.add(wake)
        watcher?.ref()
        signal.addEventListener('abort', wake, { once: true })
      }),
    close: () => {
      watcher?.close()
      notify()
    },
  }
}
