import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { type Context, context, type KubeObject } from '../src/core/index.ts'
import { type ApiClient, apiClientOf } from './api-client.ts'
import { ensureTool } from './build.ts'
import { freePorts } from './free-ports.ts'
import { sourceFolder } from './go-module.ts'
import { type ManagedProcess, openProcesses, type Processes } from './processes.ts'
import { waitUntil } from './wait-until.ts'

/** How Flux runs. */
export interface FluxOptions {
  /** Reconcile this namespace only, so that several suites can each have a Flux of their own in one cluster. */
  readonly namespace?: string
}

/** Flux's controllers, running outside the cluster. */
export interface Flux {
  /** Temporary folder with a log of each controller. */
  readonly folder: string
  stop(): Promise<void>
}

const controllers = ['source-controller', 'kustomize-controller', 'helm-controller'] as const

/** Installs Flux's CRDs and starts its controllers against the cluster of a testbed's kubeconfig. */
export async function startFlux(
  cluster: { readonly kubeconfig: string },
  options: FluxOptions = {},
  ctx: Context = context(),
): Promise<Flux> {
  for (const controller of controllers) await ensureTool(controller, ctx)
  const processes = await openProcesses()
  const api = await apiClientOf(cluster.kubeconfig)
  try {
    await installCrds(api, ctx)
    const runtimeNamespace = options.namespace ?? 'flux-system'
    await api.apply(`/api/v1/namespaces/${runtimeNamespace}`, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: runtimeNamespace },
    })
    const environment = { KUBECONFIG: cluster.kubeconfig, RUNTIME_NAMESPACE: runtimeNamespace }
    const scope = `--watch-all-namespaces=${options.namespace === undefined}`
    await Promise.all(
      controllers.map((controller) => startController(processes, controller, [scope], environment, ctx)),
    )
    return { folder: processes.folder, stop: () => processes.stop() }
  } catch (error) {
    await processes.stop()
    throw error
  } finally {
    api.close()
  }
}

async function startController(
  processes: Processes,
  name: (typeof controllers)[number],
  flags: readonly string[],
  environment: Readonly<Record<string, string>>,
  ctx: Context,
): Promise<void> {
  const [healthPort = 0, storagePort = 0] = await freePorts(2)
  const folder = join(processes.folder, name)
  await mkdir(join(folder, 'storage'), { recursive: true })
  const storage = `127.0.0.1:${storagePort}`
  const storageFlags = [
    `--storage-path=${join(folder, 'storage')}`,
    `--storage-addr=${storage}`,
    `--storage-adv-addr=${storage}`,
  ]
  const controller: ManagedProcess = await processes.start({
    name,
    command: await ensureTool(name, ctx),
    args: [
      ...flags,
      // There is no notification-controller to send events to, and nobody reads metrics.
      '--events-addr=',
      '--metrics-addr=0',
      `--health-addr=127.0.0.1:${healthPort}`,
      '--requeue-dependency=1s',
      ...(name === 'source-controller' ? storageFlags : []),
    ],
    env: { ...environment, TMPDIR: folder },
  })
  const isReady = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${healthPort}/readyz`)).ok
  await waitUntil(`${name} was ready`, isReady, { processes: [controller] }, ctx)
}

// Taken from the modules as Go downloaded them: they are not ours to keep a copy of.
async function installCrds(api: ApiClient, ctx: Context): Promise<void> {
  for (const controller of controllers) {
    const bases = join(await sourceFolder('flux', `github.com/fluxcd/${controller}`), 'config', 'crd', 'bases')
    for (const file of await readdir(bases)) {
      const crd = load(await readFile(join(bases, file), 'utf8')) as KubeObject
      const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd.metadata.name}`
      await api.apply(path, crd)
      await waitUntil(`${crd.metadata.name} was established`, () => isEstablished(api, path), { processes: [] }, ctx)
    }
  }
}

async function isEstablished(api: ApiClient, path: string): Promise<boolean> {
  const crd = (await api.request('GET', path)).json as { status?: { conditions?: { type: string; status: string }[] } }
  return crd.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true
}
