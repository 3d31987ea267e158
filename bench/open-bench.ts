import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Context, context, type ObjectRef } from '../src/core/index.ts'
import { connect, createObject, deleteSet } from '../src/kube/index.ts'
import { startTestbed } from '../testbed/index.ts'
import { npmClients } from '../testbed/npm-clients.ts'
import { connectionOf } from './bare/bare-target.ts'
import type { BenchContext, Target } from './benchmark.ts'
import { installPackage } from './install-package.ts'

/** What the user asked for. */
export interface BenchOptions {
  readonly kubeconfig: string | undefined
  readonly sizes: readonly number[] | undefined
  readonly rounds: number | undefined
}

/** The context of a run, and the end of everything that was made for it. */
export interface OpenBench extends BenchContext {
  /** The control plane, if a benchmark asked for it. */
  usedTarget(): Promise<Target | undefined>
  /** Removes the namespaces that were made, and waits until they are gone: the next benchmark wants a quiet server. */
  removeNamespaces(): Promise<void>
  close(): Promise<void>
}

/** Prepares a run; a control plane is started and Lading is built when a benchmark first asks for it. */
export async function openBench(options: BenchOptions, ctx: Context): Promise<OpenBench> {
  const folder = await mkdtemp(join(tmpdir(), 'lading-bench-'))
  const clients = (await npmClients()) ?? { kubectl: 'kubectl', helm: 'helm' }
  const prefix = `bench-${Date.now().toString(36)}`
  const closers: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
  let namespaces: ObjectRef[] = []
  let made = 0
  const progress = (text: string): void => void process.stderr.write(`bench: ${text}\n`)
  const target = once(() => openTarget(options.kubeconfig, closers, progress, ctx))
  const installed = once(() => {
    progress('building Lading')
    return installPackage(folder)
  })
  return {
    ...options,
    ctx,
    folder,
    clients,
    progress,
    target: target.get,
    installed: installed.get,
    async freshNamespace() {
      const { cluster } = await target.get()
      const name = `${prefix}-${++made}`
      namespaces.push({ group: '', version: 'v1', kind: 'Namespace', name })
      await createObject(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, {}, ctx)
      return name
    },
    // Where it could not be had, the benchmarks that asked for it have said so.
    usedTarget: async () => target.made()?.catch(() => undefined),
    async removeNamespaces() {
      if (namespaces.length === 0) return
      const { cluster } = await target.get()
      progress(`removing ${namespaces.length} namespaces`)
      // Also after an interrupt: the run's own signal would stop this too.
      for await (const _ of deleteSet(cluster, namespaces, { timeoutMs: 1_800_000 }, context()));
      namespaces = []
    },
    async close() {
      for (const closer of closers.toReversed()) await closer()
    },
  }
}

async function openTarget(
  given: string | undefined,
  closers: (() => Promise<void>)[],
  progress: (text: string) => void,
  ctx: Context,
): Promise<Target> {
  const start = performance.now()
  if (given === undefined) progress('starting a control plane')
  const testbed = given === undefined ? await startTestbed({}, ctx) : undefined
  if (testbed !== undefined) closers.push(() => testbed.stop())
  const startMs = testbed === undefined ? undefined : performance.now() - start
  const kubeconfig = given ?? testbed?.kubeconfig ?? ''
  const cluster = await connect({ kubeconfig }, ctx)
  closers.push(() => cluster.close())
  return {
    kubeconfig,
    cluster,
    connection: await connectionOf(kubeconfig),
    workloads: testbed?.workloads ?? true,
    startMs,
  }
}

/** Makes something when it is first asked for, and then keeps it. */
function once<T>(make: () => Promise<T>): { get: () => Promise<T>; made: () => Promise<T> | undefined } {
  let made: Promise<T> | undefined
  return { get: () => (made ??= make()), made: () => made }
}
