/** The part of a test runner that a suite needs; vitest's own functions fit. */
export interface TestRunner {
  describe(name: string, body: () => void): void
  it(name: string, body: () => Promise<void>): void
  beforeAll(body: () => Promise<void>): void
  afterAll(body: () => Promise<void>): void
}

/** One observable behaviour of whatever a suite is run over; `C` is what a case is given. */
export interface ContractCase<C> {
  readonly name: string
  run(c: C): Promise<void>
}

/** The cases of a suite, by section. */
export type ContractSections<C> = Readonly<Record<string, readonly ContractCase<C>[]>>

/** Cases that are known to fail, with the reason; such a case must fail, so that the list cannot go stale. */
export type ExpectedFailures = Readonly<Record<string, string>>

/** Declares the cases of a suite; `attempt` makes what a case needs, the number being its own, and runs it. */
export function declareCases<C>(
  runner: TestRunner,
  sections: ContractSections<C>,
  expectedFailures: () => ExpectedFailures | undefined,
  attempt: (one: ContractCase<C>, number: number) => Promise<void>,
): void {
  const names = Object.values(sections).flatMap((cases) => cases.map((one) => one.name))
  runner.it('names each case once, and expects failures only of cases that exist', async () => {
    const twice = names.filter((one, index) => names.indexOf(one) !== index)
    if (twice.length > 0) throw new Error(`cases with the same name: ${twice.join('; ')}`)
    const unknown = Object.keys(expectedFailures() ?? {}).filter((one) => !names.includes(one))
    if (unknown.length > 0) throw new Error(`no such case: ${unknown.join('; ')}`)
  })
  let count = 0
  for (const [section, cases] of Object.entries(sections)) {
    runner.describe(section, () => {
      for (const one of cases) {
        const number = ++count
        runner.it(one.name, () => judged(() => attempt(one, number), expectedFailures()?.[one.name]))
      }
    })
  }
}

async function judged(attempt: () => Promise<void>, expected: string | undefined): Promise<void> {
  if (expected === undefined) return attempt()
  const failed = await attempt().then(
    () => false,
    () => true,
  )
  if (!failed) throw new Error(`this case passes now; take it off the expected failures (${expected})`)
}
