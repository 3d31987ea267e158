import { afterAll, beforeAll } from 'vitest'
import { context, type KubeObject, type LadingEvent } from '../../core/index.ts'
import { connect, type Connected, createObject, deleteObject, getObject, patchObject, watchObjects } from '../../kube/index.ts'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import type { DeployOptions, PlanOptions } from '../deploy-options.ts'
import type { Plan } from '../plan.ts'
import { planInstall, planRollback, planUpgrade } from '../plan/plan-operations.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { Content } from '../intent.ts'
import { install, rollback, upgrade } from '../run/operations.ts'
import { createStore, type StoreConfig } from '../storage/create-store.ts'
import { uninstall } from '../run/uninstall.ts'
import type { UninstallOptions } from '../uninstall-options.ts'
import { namespaceObject } from './release-objects.ts'

const ctx = context()

/** A release in a namespace of its own on a sandbox. */
export interface SandboxRelease {
  readonly namespace: string
  readonly release: { readonly name: string; readonly namespace: string }
  readonly engine: ReleaseEngine
  readonly cluster: Connected
  content(...objects: KubeObject[]): Content
  install(objects: readonly KubeObject[], options?: DeployOptions): Promise<Finished<'install'>>
  upgrade(
    objects: readonly KubeObject[],
    options?: DeployOptions & { readonly install?: boolean },
  ): Promise<Finished<'upgrade'>>
  /** To a revision (default: the last good one before). */
  rollback(revision?: number, options?: DeployOptions): Promise<Finished<'rollback'>>
  uninstall(options?: UninstallOptions): Promise<Finished<'uninstall'>>
  planInstall(objects: readonly KubeObject[], options?: PlanOptions): Promise<Planning>
  planUpgrade(objects: readonly KubeObject[], options?: PlanOptions): Promise<Planning>
  planRollback(revision?: number, options?: PlanOptions): Promise<Planning>
  /** A live object (default: a ConfigMap). */
  find(name: string, kind?: string, group?: string): Promise<KubeObject | undefined>
  /** Changes a live object as somebody else would. */
  patch(name: string, change: object, kind?: string, group?: string): Promise<void>
  /** Deletes a live object as somebody else would. */
  remove(name: string, kind?: string, group?: string): Promise<void>
  /** Resolves once the object is there. */
  appears(name: string, kind?: string, group?: string): Promise<void>
  statuses(): Promise<string[]>
}

/** A plan, with everything that was told while it was made. */
interface Planning {
  readonly plan: Plan
  readonly events: readonly LadingEvent[]
}

/** What an operation came to, with everything that it told. */
export type Finished<Name extends keyof typeof operations> = Result<(typeof operations)[Name]> & {
  readonly events: LadingEvent[]
}

const operations = { install, upgrade, rollback, uninstall }

type Result<Operation extends (...args: never) => AsyncGenerator<unknown, unknown>> =
  ReturnType<Operation> extends AsyncGenerator<unknown, infer R> ? R : never

/** A sandbox on which tests make releases. */
interface SandboxReleases {
  readonly sandbox: Sandbox
  readonly cluster: Connected
  make(config?: StoreConfig, name?: string): Promise<SandboxRelease>
  close(): Promise<void>
}

/** A sandbox for the tests around it, started before the first of them and stopped after the last. */
export function sandboxReleases(): Omit<SandboxReleases, 'close'> {
  let opened: SandboxReleases | undefined
  const running = (): SandboxReleases => {
    if (opened === undefined) throw new Error('the sandbox has not started')
    return opened
  }
  beforeAll(async () => {
    opened = await openSandboxReleases()
  })
  afterAll(() => opened?.close())
  return {
    get sandbox() {
      return running().sandbox
    },
    get cluster() {
      return running().cluster
    },
    make: (config, name) => running().make(config, name),
  }
}

async function openSandboxReleases(): Promise<SandboxReleases> {
  const sandbox = await startSandbox()
  const cluster = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
  let made = 0
  return {
    sandbox,
    cluster,
    async make(config = { driver: 'secrets' }, name = 'shop') {
      const namespace = `asked-${++made}`
      await createObject(cluster, namespaceObject(namespace), {}, ctx)
      return releaseIn(cluster, { cluster, store: createStore(config, cluster) }, namespace, name)
    },
    async close() {
      await cluster.close()
      await sandbox.stop()
    },
  }
}

function releaseIn(cluster: Connected, engine: ReleaseEngine, namespace: string, name: string): SandboxRelease {
  const release = { name, namespace }
  const content = (...objects: KubeObject[]): Content => ({
    release,
    objects,
    source: { type: 'manifest', name: 'shop', digest: `sha256:${JSON.stringify(objects)}` },
    values: {},
    provenance: { sources: {} },
  })
  return {
    namespace,
    release,
    engine,
    cluster,
    content,
    install: (objects, options = {}) => finish(install(engine, content(...objects), options, ctx)),
    upgrade: (objects, options = {}) => finish(upgrade(engine, content(...objects), options, ctx)),
    rollback: (revision, options = {}) => finish(rollback(engine, release, revision, options, ctx)),
    uninstall: (options = {}) => finish(uninstall(engine, release, options, ctx)),
    planInstall: (objects, options = {}) =>
      planned((onEvent) => planInstall(engine, content(...objects), { ...options, onEvent }, ctx)),
    planUpgrade: (objects, options = {}) =>
      planned((onEvent) => planUpgrade(engine, content(...objects), { ...options, onEvent }, ctx)),
    planRollback: (revision, options = {}) =>
      planned((onEvent) => planRollback(engine, release, revision, { ...options, onEvent }, ctx)),
    find: (wanted, kind = 'ConfigMap', group = '') =>
      getObject(cluster, { group, version: 'v1', kind, namespace, name: wanted }, ctx),
    async patch(wanted, change, kind = 'ConfigMap', group = '') {
      const ref = { group, version: 'v1', kind, namespace, name: wanted }
      await patchObject(cluster, ref, change, { type: 'merge', fieldManager: 'somebody' }, ctx)
    },
    async remove(wanted, kind = 'ConfigMap', group = '') {
      await deleteObject(cluster, { group, version: 'v1', kind, namespace, name: wanted }, {}, ctx)
    },
    async appears(wanted, kind = 'ConfigMap', group = '') {
      const query = { gvk: { group, version: 'v1', kind }, namespace, name: wanted }
      for await (const event of watchObjects(cluster, query, ctx)) if (event.type === 'added') return
    },
    statuses: async () => (await engine.store.history(name, namespace, ctx)).map(({ status }) => status),
  }
}

async function planned(plan: (onEvent: (event: LadingEvent) => void) => PromiseLike<Plan>): Promise<Planning> {
  const events: LadingEvent[] = []
  return { plan: await plan((event) => events.push(event)), events }
}

/** Runs an operation to its end. */
export async function finish<T extends object>(
  operation: AsyncGenerator<LadingEvent, T>,
): Promise<T & { readonly events: LadingEvent[] }> {
  const events: LadingEvent[] = []
  for (;;) {
    const next = await operation.next()
    if (next.done === true) return { ...next.value, events }
    events.push(next.value)
  }
}
