import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { JobStore } from '../jobs/job-store.ts'
import { openJobStore } from '../jobs/sqlite-job-store.ts'
import { jobStoreContract } from './index.ts'

jobStoreContract({ describe, it, beforeAll, afterAll }, 'the SQLite job store', async (clock) => {
  const folder = await mkdtemp(join(tmpdir(), 'lading-job-contract-'))
  const stores: JobStore[] = []
  const another = (): JobStore => {
    const store = openJobStore(join(folder, 'jobs.db'), clock, join(folder, 'jobs.key'))
    stores.push(store)
    return store
  }
  return {
    store: another(),
    another,
    close: async () => {
      for (const store of stores) store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
})
