import { type ContractCase, type ContractSections, declareCases, type TestRunner } from '../../core/contract/index.ts'
import { type Context, context } from '../../core/index.ts'
import type { Cluster } from '../../kube/index.ts'
import type { DeploymentAdapter } from '../adapter.ts'
import type { DeploymentRequest, DeploymentUpdate } from '../deployment.ts'
import { accessCases } from './access-cases.ts'
import { lifecycleCases } from './lifecycle-cases.ts'
import { listCases } from './list-cases.ts'
import { rollbackCases } from './rollback-cases.ts'

/** A kind of deployment that an adapter can make. */
export interface DeploymentSample {
  /** What it is, as the names of cases say it. */
  readonly what: string
  request(name: string): DeploymentRequest
  /** Updates that each lead to another revision. */
  readonly updates: readonly [DeploymentUpdate, DeploymentUpdate]
  /** What a deployment says of itself that the updates change, to tell its revisions apart. */
  shows(extensions: Readonly<Record<string, unknown>>): unknown
  /** Whether `scale` can do something. */
  readonly scalable: boolean
  /** A request that the adapter must refuse, and what its message says. */
  readonly refused: { readonly request: DeploymentRequest; readonly message: RegExp }
}

/** An adapter under test. */
export interface AdapterTarget {
  readonly adapter: DeploymentAdapter
  /** The cluster that the adapter works on, for views of single callers. */
  readonly cluster: Cluster
  readonly samples: readonly DeploymentSample[]
  close(): Promise<void>
}

/** What one case gets; its names are its own, so that cases can run side by side. */
export interface AdapterCase {
  readonly adapter: DeploymentAdapter
  readonly cluster: Cluster
  readonly samples: readonly DeploymentSample[]
  /** A name that no other case uses. */
  name(what?: string): string
  readonly ctx: Context
}

/** One observable behaviour of an adapter. */
export type AdapterContractCase = ContractCase<AdapterCase>

const sections: ContractSections<AdapterCase> = {
  'a deployment': lifecycleCases,
  'a list of deployments': listCases,
  'a rollback': rollbackCases,
  'a view of one caller': accessCases,
}

/** Declares the suite over one adapter. */
export function adapterContract(runner: TestRunner, name: string, open: () => Promise<AdapterTarget>): void {
  runner.describe(name, () => {
    let target: AdapterTarget | undefined
    runner.beforeAll(async () => {
      target = await open()
    })
    runner.afterAll(async () => {
      await target?.close()
    })
    const unique = Date.now().toString(36)
    declareCases(
      runner,
      sections,
      () => undefined,
      async (one, number) => {
        if (target === undefined) throw new Error('the target was not opened')
        const { adapter, cluster, samples } = target
        const nameOf = (what = 'web'): string => `${what}-${unique}-${number}`
        await one.run({ adapter, cluster, samples, name: nameOf, ctx: context() })
      },
    )
  })
}
