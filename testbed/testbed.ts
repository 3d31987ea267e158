import { type Context, context } from '../src/core/index.ts'
import { ensureTool } from './build.ts'
import { startControlPlane } from './control-plane.ts'
import { type Flux, startFlux } from './flux.ts'
import { type GitServer, startGitServer } from './git-server.ts'
import { hasGo } from './go-module.ts'
import { openProcesses } from './processes.ts'
import { type Registry, startRegistry } from './registry.ts'
import type { ToolName } from './tools.ts'
import type { UserName } from './users.ts'
import { startWorkloads } from './workloads.ts'

/** What can run beside the control plane. */
export const testbedParts = ['flux', 'registry', 'registry-auth', 'git'] as const

/** Name of something that can run beside the control plane. */
export type TestbedPart = (typeof testbedParts)[number]

/** What a testbed should have. */
export interface TestbedOptions {
  readonly with?: readonly TestbedPart[]
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
  readonly flux?: Flux
  readonly registry?: Registry
  /** The registry that wants a user and a password. */
  readonly authRegistry?: Registry
  readonly git?: GitServer
  /** Ends every process and removes the folders. */
  stop(): Promise<void>
}

/** Starts a control plane with simulated nodes; what it needs is built first, once. */
export async function startTestbed(options: TestbedOptions = {}, ctx: Context = context()): Promise<Testbed> {
  const workloads = await canRunWorkloads()
  // Builds take minutes: all of them come before the first process.
  for (const tool of workloads ? allTools : apiServerTools) await ensureTool(tool, ctx)
  const started: { stop(): Promise<void> }[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((part) => part.stop()))
  }
  const keep = async <T extends { stop(): Promise<void> }>(part: Promise<T>): Promise<T> => {
    const running = await part
    started.push(running)
    return running
  }
  try {
    const processes = await keep(openProcesses())
    const controlPlane = await startControlPlane(processes, ctx)
    const { kubeconfig, server, ca, tokens, api } = controlPlane
    started.push({ stop: async () => api.close() })
    if (workloads) await startWorkloads(processes, controlPlane, options.nodes ?? 3, ctx)
    const wanted = new Set(options.with)
    return {
      kubeconfig,
      server,
      ca,
      tokens,
      workloads,
      folder: processes.folder,
      ...(wanted.has('registry') ? { registry: await keep(startRegistry({}, ctx)) } : {}),
      ...(wanted.has('registry-auth') ? { authRegistry: await keep(startRegistry({ auth: true }, ctx)) } : {}),
      ...(wanted.has('git') ? { git: await keep(startGitServer()) } : {}),
      ...(wanted.has('flux') ? { flux: await keep(startFlux({ kubeconfig }, {}, ctx)) } : {}),
      stop,
    }
  } catch (error) {
    await stop()
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
