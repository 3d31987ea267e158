import { randomBytes } from 'node:crypto'
import { type ContractSections, declareCases, type TestRunner } from '../../core/contract/index.ts'
import { context } from '../../core/index.ts'
import type { Target } from '../target.ts'
import { contentCases } from './content-cases.ts'
import { copyCases } from './copy-cases.ts'
import type { CaseContext, ContractCase, ContractRegistry } from './harness.ts'
import { manifestCases } from './manifest-cases.ts'
import { referrerCases } from './referrer-cases.ts'

const sections: ContractSections<CaseContext> = {
  content: contentCases,
  manifests: manifestCases,
  referrers: referrerCases,
  copy: copyCases,
}

const caseTimeoutMs = 60_000

/** Declares the suite over one kind of target. */
export function registryContract(runner: TestRunner, name: string, open: () => Promise<ContractRegistry>): void {
  runner.describe(name, () => {
    const run = randomBytes(3).toString('hex')
    let registry: ContractRegistry | undefined
    const opened = (): ContractRegistry => {
      if (registry === undefined) throw new Error('the registry under test did not open')
      return registry
    }
    runner.beforeAll(async () => {
      registry = await open()
    })
    runner.afterAll(async () => registry?.close())

    const expected = (): ContractRegistry['expectedFailures'] => opened().expectedFailures
    declareCases(runner, sections, expected, (one, number) => attempt(one, opened(), `lading-${run}/case-${number}`))
  })
}

async function attempt(one: ContractCase, registry: ContractRegistry, unique: string): Promise<void> {
  const targets = new Map<string, Target>()
  const open = (name: string): Target => {
    const target = targets.get(name) ?? registry.open(name)
    targets.set(name, target)
    return target
  }
  const end = new AbortController()
  const c: CaseContext = {
    target: open(unique),
    another: (name) => open(`${unique}-${name}`),
    tamper: registry.tamper === undefined ? undefined : (d, content) => registry.tamper!(unique, d, content),
    ctx: context({ signal: AbortSignal.any([end.signal, AbortSignal.timeout(caseTimeoutMs)]) }),
  }
  try {
    await one.run(c)
  } finally {
    end.abort()
    for (const target of targets.values()) await target.close()
  }
}
