import type { Log } from '../../core/index.ts'
import type { Store } from '../store.ts'
import { type Identity, keptIdentity, newIdentity } from './identity.ts'
import { Journal } from './journal.ts'
import { lockFolder } from './lock-folder.ts'

/** What of a sandbox outlives it. */
export interface Keeper {
  readonly identity: Identity
  /** Resolves once every change so far is on disk; absent when nothing is kept. */
  readonly kept?: () => Promise<void>
  close(): Promise<void>
}

/** Fills a store with what a folder kept and keeps it there; without a folder everything is new and forgotten. */
export async function openKeeper(folder: string | undefined, store: Store, log: Log): Promise<Keeper> {
  if (folder === undefined) return { identity: newIdentity(), close: () => Promise.resolve() }
  const unlock = lockFolder(folder)
  try {
    const journal = await Journal.open(folder, store, { log })
    return {
      identity: keptIdentity(folder),
      kept: () => journal.kept(),
      close: () => journal.close().finally(unlock),
    }
  } catch (error) {
    unlock()
    throw error
  }
}
