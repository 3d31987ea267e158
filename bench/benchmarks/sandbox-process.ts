import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { bareTarget, connectionOf } from '../bare/bare-target.ts'
import type { BareTarget } from '../bare/bare-pool.ts'
import type { BenchContext } from '../benchmark.ts'
import { ladingProgram } from '../measure/node-program.ts'
import { type ProcessUsage, processUsage } from '../measure/process-usage.ts'

/** A sandbox that runs in a process of its own. */
export interface SandboxProcess {
  /** From starting the process to serving. */
  readonly startMs: number
  readonly target: BareTarget
  usage(): ProcessUsage | undefined
  stop(): Promise<void>
}

/** Starts a sandbox of the installed package. */
export async function startSandboxProcess(bench: BenchContext): Promise<SandboxProcess> {
  const { folder, ctx } = bench
  const installed = await bench.installed()
  const { command, args, env } = ladingProgram(folder, 'sandbox', [installed])
  const start = performance.now()
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    signal: ctx.signal,
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve())
  })
  const ready = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve)
    ended.then(() => reject(new Error('the sandbox ended before it served')), reject)
  })
  const stop = async (): Promise<void> => {
    child.stdin.end()
    // Ended by an abort is ended as well.
    await ended.catch(() => undefined)
  }
  try {
    const { kubeconfig } = JSON.parse(await ready) as { kubeconfig: string }
    const startMs = performance.now() - start
    const target = await bareTarget(await connectionOf(kubeconfig), ctx)
    return { startMs, target, usage: () => (child.pid === undefined ? undefined : processUsage(child.pid)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
