import { expect } from 'vitest'
import { context } from '../../core/index.ts'
import { type Cluster, createObject, deleteObject, listObjects } from '../../kube/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import { type CrashContent, dataOf, imagesOf, type Version } from './crash-content.ts'

const ctx = context()

/** Holds a release to one of its versions, or to being gone: nothing lost, nothing left over, history intact. */
export async function verifyRelease(
  engine: ReleaseEngine,
  kind: CrashContent,
  namespace: string,
  version: Version | undefined,
): Promise<void> {
  const maps = await found(engine, { group: '', version: 'v1', kind: 'ConfigMap' }, namespace)
  const own = maps.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt')
  const data = Object.fromEntries(own.map((object) => [object.metadata.name, object['data']]))
  expect(data).toEqual(version === undefined ? {} : dataOf(version))
  const workloads = version !== undefined && kind === 'workloads' ? imagesOf(version) : {}
  expect(await deployedImages(engine, namespace)).toEqual(workloads)
  const leases = await found(engine, { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' }, namespace)
  expect(leases.map(({ metadata }) => metadata.name)).toEqual([])
  const jobs = await found(engine, { group: 'batch', version: 'v1', kind: 'Job' }, namespace)
  expect(jobs.map(({ metadata }) => metadata.name)).toEqual([])

  const history = await engine.store.history('shop', namespace, ctx)
  const statuses = history.map(({ status }) => status)
  expect(statuses.filter((status) => status.startsWith('pending') || status === 'unknown')).toEqual([])
  expect(statuses.filter((status) => status === 'deployed')).toHaveLength(version === undefined ? 0 : 1)
  expect(statuses.at(-1)).toBe(version === undefined ? undefined : 'deployed')
  expect(history.map((revision) => revision.version)).toEqual(history.map((_, at) => at + 1))
}

async function deployedImages(engine: ReleaseEngine, namespace: string): Promise<Record<string, unknown>> {
  const deployments = await found(engine, { group: 'apps', version: 'v1', kind: 'Deployment' }, namespace)
  return Object.fromEntries(
    deployments.map((object) => {
      const spec = object['spec'] as { template: { spec: { containers: { image: string }[] } } }
      return [object.metadata.name, spec.template.spec.containers[0]?.image]
    }),
  )
}

async function found(
  { cluster }: ReleaseEngine,
  gvk: { group: string; version: string; kind: string },
  namespace: string,
): Promise<Awaited<ReturnType<typeof listObjects>>['items']> {
  return (await listObjects(cluster, { gvk, namespace }, ctx)).items
}

/** Namespaces of their own for every crash, removed in the end. */
export function namespacesOf(
  cluster: () => Cluster,
  prefix: string,
): { make(): Promise<string>; remove(): Promise<void> } {
  const made: string[] = []
  const unique = `${prefix}-${process.pid.toString(36)}${Date.now().toString(36)}`
  return {
    async make() {
      const name = `${unique}-${made.length + 1}`
      made.push(name)
      await createObject(cluster(), { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, {}, ctx)
      return name
    },
    async remove() {
      const ref = { group: '', version: 'v1', kind: 'Namespace' }
      for (const name of made) await deleteObject(cluster(), { ...ref, name }, { wait: false }, ctx)
    },
  }
}
