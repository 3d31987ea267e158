import { type Context, context } from '../src/core/index.ts'
import { ensureTool } from './build.ts'
import { startControlPlane } from './control-plane.ts'
import { hasGo } from './go-module.ts'
import { openProcesses } from './processes.ts'
import type { ToolName } from './tools.ts'
import type { UserName } from './users.ts'
import { startWorkloads } from './workloads.ts'

/** What a testbed should have. */
export interface TestbedOptions {
  /** How many simulated nodes. */
  readonly nodes?: number
}

/** A running control plane with nodes. */
export interface Testbed {
  /** Path of a kubeconfig with the contexts admin, editor, reader, nobody and throttled. */
  readonly kubeconfig: string
  readonly server: string
  /** Certificate authority of the API server, PEM. */
  readonly ca: string
  readonly tokens: Readonly<Record<UserName, string>>
  /** Whether Pods run; false only with KUBEBUILDER_ASSETS on a machine without Go. */
  readonly workloads: boolean
  /** The temporary folder, with a log of each process. */
  readonly folder: string
  /** Ends every process and removes the folder. */
  stop(): Promise<void>
}

/** Starts a control plane with simulated nodes; what it needs is built first, once. */
export async function startTestbed(options: TestbedOptions = {}, ctx: Context = context()): Promise<Testbed> {
  const workloads = await canRunWorkloads()
  // Builds take minutes: all of them come before the first process.
  for (const tool of workloads ? allTools : apiServerTools) await ensureTool(tool, ctx)
  const processes = await openProcesses()
  try {
    const controlPlane = await startControlPlane(processes, ctx)
    if (workloads) await startWorkloads(processes, controlPlane, options.nodes ?? 3, ctx)
    const { kubeconfig, server, ca, tokens, api } = controlPlane
    const stop = async (): Promise<void> => {
      api.close()
      await processes.stop()
    }
    return { kubeconfig, server, ca, tokens, workloads, folder: processes.folder, stop }
  } catch (error) {
    await processes.stop()
    throw error
  }
}

const apiServerTools: readonly ToolName[] = ['etcd', 'kube-apiserver']
const allTools: readonly ToolName[] = [...apiServerTools, 'kube-controller-manager', 'kube-scheduler', 'kwok']

async function canRunWorkloads(): Promise<boolean> {
  if (process.env['KUBEBUILDER_ASSETS'] === undefined || (await hasGo())) return true
  process.stderr.write('testbed: KUBEBUILDER_ASSETS without Go: no controllers and no nodes, Pods will not run\n')
  return false
}
