import type { ContractCase as Case, ExpectedFailures } from '../../core/contract/index.ts'
import type { Context } from '../../core/index.ts'
import type { Descriptor } from '../descriptor.ts'
import type { Target } from '../target.ts'

/** A kind of target under test. */
export interface ContractRegistry {
  /** Opens a repository; one that was never opened before is empty. */
  open(repository: string): Target
  /** Makes stored content wrong behind the target's back, where the test can. */
  tamper?(repository: string, d: Descriptor, content: Uint8Array): Promise<void>
  readonly expectedFailures?: ExpectedFailures
  close(): Promise<void>
}

/** What one case gets: repositories of its own, so that cases can run side by side. */
export interface CaseContext {
  readonly target: Target
  /** Another repository of the same kind; each call with the same name opens the same one. */
  another(name: string): Target
  /** Undefined where the test cannot reach behind the target. */
  readonly tamper: ((d: Descriptor, content: Uint8Array) => Promise<void>) | undefined
  readonly ctx: Context
}

/** One observable behaviour of a target. */
export type ContractCase = Case<CaseContext>

/** Names a case. */
export function contractCase(name: string, run: (c: CaseContext) => Promise<void>): ContractCase {
  return { name, run }
}
