import { randomBytes } from 'node:crypto'
import type { ContractCase, TestRunner } from '../../core/contract/index.ts'
import { type Context, context } from '../../core/index.ts'
import { concurrencyCases } from './contract/concurrency-cases.ts'
import { crashCases } from './contract/crash-cases.ts'
import { largeCases, manyCases } from './contract/large-cases.ts'
import { lockCases } from './contract/lock-cases.ts'
import { ownershipCases } from './contract/ownership-cases.ts'
import { recordCases } from './contract/record-cases.ts'
import type { ReleaseStore, RevisionKey } from './release-store.ts'

/** What was asked of a storage since the store was opened. */
export interface Traffic {
  readonly requests: number
  readonly bytes: number
}

/** A storage under test. */
export interface StoreTarget {
  readonly store: ReleaseStore
  /** Two namespaces that are there. */
  readonly namespaces: readonly [string, string]
  /** Whether a record of any size finds a place; otherwise `release.too-large` is expected. */
  readonly holdsLarge: boolean
  /** Makes the payload of a revision unreadable behind the store's back. */
  damage(key: RevisionKey): Promise<void>
  /** What the storage holds of a release beside its records' own objects: the parts of large records, claims of writes. */
  extras?(name: string, namespace: string): Promise<readonly string[]>
  /** A store over the same storage whose process ends before the write after so many. */
  crashing?(writes: number): ReleaseStore
  /** How many releases are listed (default: 1,000); making them is slow. */
  readonly many?: number
  /** A store over the same storage that measures what it reads. */
  measured?(): { readonly store: ReleaseStore; traffic(): Traffic }
  close(): Promise<void>
}

/** What one case gets; its names are its own, so that cases can run side by side. */
export interface StoreCase extends StoreTarget {
  readonly name: string
  readonly namespace: string
  readonly ctx: Context
}

/** One observable behaviour of a store. */
export type StoreContractCase = ContractCase<StoreCase>

/** Every case of the suite. */
const storeCases: readonly StoreContractCase[] = [
  ...recordCases,
  ...ownershipCases,
  ...concurrencyCases,
  ...lockCases,
  ...largeCases,
  ...crashCases,
  ...manyCases,
]

/** Declares the suite over one storage. */
export function releaseStoreContract(runner: TestRunner, name: string, open: () => Promise<StoreTarget>): void {
  runner.describe(name, () => {
    let target: StoreTarget | undefined
    runner.beforeAll(async () => {
      target = await open()
    })
    runner.afterAll(async () => {
      await target?.close()
    })
    for (const one of storeCases) {
      runner.it(one.name, async () => {
        if (target === undefined) throw new Error('the storage under test did not open')
        const unique = `r-${randomBytes(4).toString('hex')}`
        await one.run({ ...target, name: unique, namespace: target.namespaces[0], ctx: context() })
      })
    }
  })
}
