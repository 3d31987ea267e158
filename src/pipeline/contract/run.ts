import { declareCases, type ExpectedFailures, type TestRunner } from '../../core/contract/index.ts'
import { type ManualClock, manualClock } from '../../core/index.ts'
import type { JobStoreTarget } from './harness.ts'
import { leaseCases } from './lease-cases.ts'
import { recordCases } from './record-cases.ts'

/** Declares the suite over one kind of storage; `open` makes an empty one with this clock for each case. */
export function jobStoreContract(
  runner: TestRunner,
  name: string,
  open: (clock: ManualClock) => Promise<JobStoreTarget>,
  expectedFailures?: ExpectedFailures,
): void {
  runner.describe(name, () => {
    declareCases(
      runner,
      { records: recordCases, leases: leaseCases },
      () => expectedFailures,
      async (one) => {
        const clock = manualClock(1_000_000)
        const target = await open(clock)
        try {
          await one.run({ ...target, clock })
        } finally {
          await target.close()
        }
      },
    )
  })
}
