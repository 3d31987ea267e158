import { randomBytes } from 'node:crypto'
import { context } from '../../core/index.ts'
import type { Target } from '../target.ts'
import { contentCases } from './content-cases.ts'
import { copyCases } from './copy-cases.ts'
import type { CaseContext, ContractCase, ContractRegistry, TestRunner } from './harness.ts'
import { manifestCases } from './manifest-cases.ts'
import { referrerCases } from './referrer-cases.ts'

const sections: Readonly<Record<string, readonly ContractCase[]>> = {
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

    runner.it('expects failures only of cases that exist', async () => {
      const names = Object.values(sections).flatMap((cases) => cases.map((one) => one.name))
      const twice = names.filter((one, index) => names.indexOf(one) !== index)
      const unknown = Object.keys(opened().expectedFailures ?? {}).filter((one) => !names.includes(one))
      if (twice.length + unknown.length > 0)
        throw new Error(`wrong names of cases: ${[...twice, ...unknown].join('; ')}`)
    })
    let count = 0
    for (const [section, cases] of Object.entries(sections)) {
      runner.describe(section, () => {
        for (const one of cases) {
          const unique = `lading-${run}/case-${++count}`
          runner.it(one.name, () => runCase(one, opened(), unique))
        }
      })
    }
  })
}

async function runCase(one: ContractCase, registry: ContractRegistry, unique: string): Promise<void> {
  const expected = registry.expectedFailures?.[one.name]
  if (expected === undefined) return attempt(one, registry, unique)
  const failed = await attempt(one, registry, unique).then(
    () => false,
    () => true,
  )
  if (!failed) throw new Error(`this case passes now; take it off the expected failures (${expected})`)
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
