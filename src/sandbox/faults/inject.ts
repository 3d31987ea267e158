import type { ServerResponse } from 'node:http'
import type { Clock } from '../../core/index.ts'
import type { Attributes } from '../auth/authorization/attributes.ts'
import { conflict, expired, StatusError } from '../status-error.ts'
import type { FaultSpec } from './fault.ts'
import type { Faults } from './faults.ts'

/** Lets faults strike at one point of a request; says whether the response is spoilt. Refusals are thrown. */
export async function inject(
  faults: Faults,
  specs: readonly FaultSpec[],
  when: 'before' | 'after',
  wanted: Attributes,
  response: ServerResponse,
  clock: Clock,
): Promise<boolean> {
  for (const spec of specs) {
    if ((spec.when ?? 'before') !== when || spec.fault === 'drop-watch') continue
    if (await strike(faults, spec, wanted, response, clock)) return true
  }
  return false
}

/** Lets a watch be cut: after some of its events or some time, and whenever all watches are. Gives what to call per event. */
export function injectWatch(
  faults: Faults,
  specs: readonly FaultSpec[],
  response: ServerResponse,
  clock: Clock,
): () => void {
  faults.watching(response)
  const drop = specs.find(({ fault }) => fault === 'drop-watch')
  if (drop === undefined) return () => {}
  const left = { events: drop.events ?? Number.POSITIVE_INFINITY }
  const cut = (): void => {
    // The event that was the last one still has to get out.
    setImmediate(() => response.destroy())
  }
  if (drop.events === undefined || drop.ms !== undefined) void cutLater(drop.ms ?? 0, response, clock)
  else if (drop.events === 0) cut()
  return () => {
    left.events -= 1
    if (left.events === 0) cut()
  }
}

async function strike(
  faults: Faults,
  spec: FaultSpec,
  wanted: Attributes,
  response: ServerResponse,
  clock: Clock,
): Promise<boolean> {
  switch (spec.fault) {
    case 'latency':
      await pause(spec.ms ?? 100, response, clock)
      return response.destroyed
    case 'reset':
      reset(response)
      return true
    case 'hang':
      faults.hang(response)
      return true
    case 'drop-watch':
      return false
    case 'throttle':
    case 'error':
    case 'conflict':
    case 'gone':
      throw refusal(spec.fault, spec, wanted)
  }
}

function refusal(fault: 'throttle' | 'error' | 'conflict' | 'gone', spec: FaultSpec, wanted: Attributes): StatusError {
  switch (fault) {
    case 'throttle': {
      const details = { retryAfterSeconds: spec.retryAfterSeconds ?? 1 }
      return new StatusError(429, 'TooManyRequests', 'Too many requests, please try again later.', details)
    }
    case 'error': {
      const code = spec.code ?? 500
      if (code === 503)
        return new StatusError(503, 'ServiceUnavailable', 'the server is currently unable to handle the request')
      return new StatusError(code, code === 500 ? 'InternalError' : '', 'an error that was asked for')
    }
    case 'conflict': {
      const { group = '', resource = '', name = '' } = wanted.resource ?? {}
      const why = 'the object has been modified; please apply your changes to the latest version and try again'
      return conflict({ group, resource, kind: '' }, name, why)
    }
    case 'gone':
      return expired('too old resource version: a compaction that was asked for')
  }
}

function reset(response: ServerResponse): void {
  // A RST and not a FIN, as from a peer that is gone; where the socket is wrapped in TLS, what is below it decides.
  const { socket } = response
  if (socket !== null && 'resetAndDestroy' in socket) socket.resetAndDestroy()
  response.destroy()
}

async function cutLater(ms: number, response: ServerResponse, clock: Clock): Promise<void> {
  await pause(ms, response, clock)
  response.destroy()
}

async function pause(ms: number, response: ServerResponse, clock: Clock): Promise<void> {
  const left = new AbortController()
  const leave = (): void => left.abort()
  response.once('close', leave)
  try {
    await clock.sleep(ms, left.signal)
  } catch {
    // The client left first.
  } finally {
    response.off('close', leave)
  }
}
