import type { ServerResponse } from 'node:http'
import type { KubeObject } from '../../core/index.ts'
import { chosenContainer } from '../api/read/logs.ts'
import type { ResourceRequest } from '../api/resource-request.ts'
import { stored } from '../api/write/update.ts'
import type { Backend } from '../backend.ts'
import { partOf, text } from '../object-parts.ts'
import { badRequest, StatusError } from '../status-error.ts'
import { annotatedExec, annotatedPort } from './annotated.ts'
import type { PortServer } from './connection.ts'
import type { ExecAnswer, ExecCall, PortCall, Scripts } from './scripts.ts'
import { serveExec } from './serve-exec.ts'
import { servePorts } from './serve-ports.ts'
import { wantsWebSocket } from './server-socket.ts'

/** Answers exec and port-forward with what was scripted, and says how to script what was not. */
export async function answerStreams(
  backend: Backend,
  scripts: Scripts,
  info: ResourceRequest,
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const { subresource = '', namespace = '' } = info
  if (subresource !== 'exec' && subresource !== 'portforward') throw notSupported(info, 'it cannot be scripted')
  const pod = stored(backend, info)
  if (!wantsWebSocket(response)) throw badRequest('Upgrade request required')
  const phase = text(partOf(pod, 'status')['phase'])
  if (phase !== 'Running') throw badRequest(`pod ${pod.metadata.name} is not running: its phase is ${phase}`)
  if (subresource === 'portforward') {
    const serverOf = (port: number): PortServer => portServer(scripts, pod, { namespace, pod: pod.metadata.name, port })
    await servePorts(response, query, serverOf)
    return
  }
  const request = {
    namespace,
    pod: pod.metadata.name,
    container: chosenContainer(pod, query.get('container') ?? ''),
    command: query.getAll('command'),
    tty: query.get('tty') === 'true',
  }
  if (request.command.length === 0) throw badRequest('you must specify at least 1 command for the container')
  const run = (call: ExecCall): Promise<ExecAnswer> => runScript(scripts, pod, info, call)
  await serveExec(response, request, query.get('stdin') === 'true', run)
}

async function runScript(
  scripts: Scripts,
  pod: KubeObject,
  info: ResourceRequest,
  call: ExecCall,
): Promise<ExecAnswer> {
  for (const script of scripts.exec) {
    const answer = await script(call)
    if (answer !== undefined) return answer
  }
  const answer = annotatedExec(pod, call.command)
  if (answer !== undefined) return answer
  throw notSupported(info, 'script an answer with sandbox.onExec() or the annotation lading.dev/simulate-exec')
}

function portServer(scripts: Scripts, pod: KubeObject, call: PortCall): PortServer {
  for (const script of scripts.ports) {
    const serve = script(call)
    if (serve !== undefined) return serve
  }
  const answer = annotatedPort(pod, call.port)
  if (answer !== undefined) return (connection) => void connection.once('data', () => connection.end(answer))
  const how = 'script it with sandbox.onPortForward() or the annotation lading.dev/simulate-port-forward'
  throw new StatusError(500, 'InternalError', `nothing listens on port ${call.port}, since no container runs: ${how}`)
}

function notSupported({ subresource, name = '' }: ResourceRequest, how: string): StatusError {
  const message = `pods/${subresource} is not supported: the sandbox simulates containers and runs none; ${how}`
  return new StatusError(501, 'NotImplemented', message, { kind: 'pods', name })
}
