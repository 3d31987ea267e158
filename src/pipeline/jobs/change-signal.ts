import { type FSWatcher, utimesSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Tells those who wait that something changed in a file, by this process or by another. */
export interface ChangeSignal {
  /** To be called once a change can be read. */
  notify(): void
  /** Keeps the process alive meanwhile: an idle runner has nothing else to live for. */
  wait(signal: AbortSignal): Promise<void>
  close(): void
}

/**
 * Watches the files of a database. What SQLite writes is seen before it can be read, and somebody who asks in between would wait for ever;
 * so whoever has changed something touches the database afterwards.
 */
export function changeSignal(file: string): ChangeSignal {
  const waiting = new Set<() => void>()
  const wakeAll = (): void => {
    for (const wake of waiting) wake()
  }
  let watcher: FSWatcher | undefined
  if (file !== ':memory:') {
    const name = basename(file)
    watcher = watch(dirname(file), { persistent: false }, (_event, changed) => {
      if (changed === null || changed.startsWith(name)) wakeAll()
    })
    // The folder went away: whoever waits finds out by asking.
    watcher.on('error', wakeAll)
  }
  return {
    notify: () => {
      wakeAll()
      if (watcher !== undefined) touch(file)
    },
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
      wakeAll()
    },
  }
}

function touch(file: string): void {
  const now = new Date()
  try {
    utimesSync(file, now, now)
  } catch {
    // It was removed, and whoever watches its folder has seen that.
  }
}
