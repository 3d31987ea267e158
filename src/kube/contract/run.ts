import { randomBytes } from 'node:crypto'
import { type ContractSections, declareCases, type TestRunner } from '../../core/contract/index.ts'
import { context, isLadingError, type KubeObject, refOf } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { createObject } from '../apply/create.ts'
import { objectPath, resolveResource } from '../discovery/paths.ts'
import type { CaseContext, ContractCase, ContractTarget } from './harness.ts'
import { applyCases } from './cases/apply-cases.ts'
import { askingCases } from './cases/predict-cases.ts'
import { connectCases } from './cases/connect-cases.ts'
import { deleteCases } from './cases/delete-cases.ts'
import { readCases } from './cases/read-cases.ts'
import { setCases } from './cases/set-cases.ts'
import { waitCases } from './cases/wait-cases.ts'
import { watchCases } from './cases/watch-cases.ts'
import { writeCases } from './cases/write-cases.ts'

/** Every section of the suite, by name. */
export const allSections: ContractSections<CaseContext> = {
  connect: connectCases,
  read: readCases,
  watch: watchCases,
  write: writeCases,
  apply: applyCases,
  sets: setCases,
  asking: askingCases,
  delete: deleteCases,
  wait: waitCases,
}

const caseTimeoutMs = 100_000

/** Declares the suite over one API server: each case has a namespace of its own, which is gone after the run. */
export function clusterContract(
  runner: TestRunner,
  name: string,
  open: () => Promise<ContractTarget>,
  sections: ContractSections<CaseContext> = allSections,
): void {
  runner.describe(name, () => {
    const run = randomBytes(3).toString('hex')
    const namespaces: KubeObject[] = []
    let target: ContractTarget | undefined
    const opened = (): ContractTarget => {
      if (target === undefined) throw new Error('the API server under test did not open')
      return target
    }
    runner.beforeAll(async () => {
      target = await open()
    })
    runner.afterAll(async () => {
      if (target === undefined) return
      // Termination goes on by itself; nobody needs to watch it.
      const { admin } = target
      await Promise.all(namespaces.map((namespace) => remove(admin, namespace)))
      await target.close()
    })

    const expected = (): ContractTarget['expectedFailures'] => opened().expectedFailures
    declareCases(runner, sections, expected, async (one, number) => {
      const unique = `lading-${run}-${number}`
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: unique } }
      namespaces.push(namespace)
      await createObject(opened().admin, namespace, {}, context())
      await attempt(one, opened(), unique)
    })
  })
}

async function attempt(one: ContractCase, target: ContractTarget, unique: string): Promise<void> {
  const leftovers: Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>[] = []
  const end = new AbortController()
  const c: CaseContext = {
    cluster: target.admin,
    unprivileged: target.unprivileged,
    kubeconfig: target.kubeconfig,
    namespace: unique,
    unique,
    ctx: context({ signal: AbortSignal.any([end.signal, AbortSignal.timeout(caseTimeoutMs)]) }),
    cleanUp: (object) => leftovers.push(object),
  }
  try {
    await one.run(c)
  } finally {
    // Watches that a failed case left open must not outlive it.
    end.abort()
    for (const object of leftovers.toReversed()) await remove(target.admin, object)
  }
}

async function remove(cluster: Cluster, object: Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>): Promise<void> {
  const ctx = context()
  try {
    const ref = refOf(object)
    const path = objectPath(await resolveResource(cluster, ref, ctx), ref)
    await cluster.transport.request({ method: 'DELETE', path, body: { propagationPolicy: 'Background' } }, ctx)
  } catch (error) {
    if (!isLadingError(error, 'kube.not-found', 'kube.unknown-kind', 'kube.conflict')) throw error
  }
}
