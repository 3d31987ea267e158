import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SupervisorReply, SupervisorRequest } from './processes.ts'

/*
 * The program that owns a testbed's processes and its folder. It runs in a session of its own and lives as long as the
 * channel to whoever asked for the testbed: when that process ends, however it ends, everything here ends too.
 */

const folder = mkdtempSync(join(tmpdir(), 'lading-testbed-'))
const running = new Map<number, ChildProcess>()

process.on('message', (request: SupervisorRequest) => {
  switch (request.type) {
    case 'start':
      return start(request)
    case 'kill':
      return killGroup(request.pid)
    case 'end':
      return end()
  }
})
process.on('disconnect', end)
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end)
reply({ type: 'ready', folder })

function start(request: Extract<SupervisorRequest, { type: 'start' }>): void {
  const log = openSync(request.log, 'a')
  // A process group of its own: what the program itself starts is ended with it.
  const child = spawn(request.command, request.args, {
    cwd: request.cwd,
    env: { ...process.env, ...request.env },
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  child.once('error', (error) => reply({ type: 'failed', id: request.id, message: error.message }))
  const { pid } = child
  if (pid === undefined) return
  running.set(pid, child)
  child.once('exit', (code, signal) => {
    running.delete(pid)
    reply({ type: 'exited', id: request.id, code, signal })
    if (ending && running.size === 0) leave()
  })
  reply({ type: 'started', id: request.id, pid })
}

let ending = false

function end(): void {
  if (ending) return
  ending = true
  // The data goes with the folder, so nothing has to be shut down gracefully.
  for (const pid of running.keys()) killGroup(pid)
  if (running.size === 0) leave()
}

function leave(): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  process.exit(0)
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

function reply(message: SupervisorReply): void {
  if (process.connected) process.send?.(message)
}
