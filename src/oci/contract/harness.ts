import type { Context } from '../../core/index.ts'
import type { Descriptor } from '../descriptor.ts'
import type { Target } from '../target.ts'

/** The part of a test runner that the suite needs; vitest's own functions fit. */
export interface TestRunner {
  describe(name: string, body: () => void): void
  it(name: string, body: () => Promise<void>): void
  beforeAll(body: () => Promise<void>): void
  afterAll(body: () => Promise<void>): void
}

/** A kind of target under test. */
export interface ContractRegistry {
  /** Opens a repository; one that was never opened before is empty. */
  open(repository: string): Target
  /** Makes stored content wrong behind the target's back, where the test can. */
  tamper?(repository: string, d: Descriptor, content: Uint8Array): Promise<void>
  /** Cases that it is known to fail, with the reason; such a case must fail, so that the list cannot go stale. */
  readonly expectedFailures?: Readonly<Record<string, string>>
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
export interface ContractCase {
  readonly name: string
  run(c: CaseContext): Promise<void>
}

/** Names a case. */
export function contractCase(name: string, run: (c: CaseContext) => Promise<void>): ContractCase {
  return { name, run }
}
