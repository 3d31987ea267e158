import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cacheFolder } from './cache-folder.ts'
import { isAlive } from './file-lock.ts'
import type { Testbed, TestbedPart } from './testbed.ts'

/** The testbed that `up` left running. */
export interface RunningTestbed {
  /** The process that holds it; when that ends, the testbed ends. */
  readonly pid: number
  readonly with: readonly TestbedPart[]
  readonly kubeconfig: string
  readonly server: string
  readonly registry?: { readonly url: string }
  readonly authRegistry?: { readonly url: string; readonly user?: string; readonly password?: string }
  readonly git?: { readonly url: string; readonly folder: string }
}

/** What is kept of a testbed so that later commands find it. */
export function describeTestbed(testbed: Testbed, parts: readonly TestbedPart[]): RunningTestbed {
  const { kubeconfig, server, registry, authRegistry, git } = testbed
  return {
    pid: process.pid,
    with: parts,
    kubeconfig,
    server,
    ...(registry === undefined ? {} : { registry: { url: registry.url } }),
    ...(authRegistry === undefined ? {} : { authRegistry: withoutStop(authRegistry) }),
    ...(git === undefined ? {} : { git: { url: git.url, folder: git.folder } }),
  }
}

/** The running testbed; undefined when there is none, or none any more. */
export async function readRunning(): Promise<RunningTestbed | undefined> {
  const text = await readFile(stateFile(), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const state = JSON.parse(text) as RunningTestbed
  return isAlive(state.pid) ? state : undefined
}

/** Remembers the running testbed. */
export async function writeRunning(state: RunningTestbed): Promise<void> {
  await mkdir(dirname(stateFile()), { recursive: true })
  await writeFile(stateFile(), `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 })
}

/** Forgets the running testbed. */
export async function forgetRunning(): Promise<void> {
  await rm(stateFile(), { force: true })
}

function stateFile(): string {
  return join(cacheFolder(), 'running.json')
}

function withoutStop<T extends { stop: unknown }>({ stop: _, ...rest }: T): Omit<T, 'stop'> {
  return rest
}
