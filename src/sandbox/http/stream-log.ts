import type { ServerResponse } from 'node:http'
import { containerLog, logEnded } from '../api/read/logs.ts'
import type { ResourceRequest } from '../api/resource-request.ts'
import type { Backend } from '../backend.ts'

const streams = new Set(['exec', 'attach', 'portforward', 'proxy'])

/** Whether a request is for what happens inside of containers, which here are only simulated. */
export function wantsContainer({ type, subresource = '' }: ResourceRequest): boolean {
  return type.group === '' && type.resource === 'pods' && (subresource === 'log' || streams.has(subresource))
}

/** Answers with a container's log; a follower hears of its end when the Pod ends or goes. */
export function answerContainer(
  backend: Backend,
  info: ResourceRequest,
  query: URLSearchParams,
  response: ServerResponse,
): void {
  const log = containerLog(backend, info, query)
  response.writeHead(200, { 'content-type': 'text/plain' })
  const current = () => backend.store.get('/pods', info.namespace ?? '', info.name ?? '')
  if (query.get('follow') !== 'true' || logEnded(current())) {
    response.end(log)
    return
  }
  response.write(log)
  const stop = backend.store.listen((collection, { object }) => {
    const { namespace, name } = object.metadata
    if (collection !== '/pods' || namespace !== info.namespace || name !== info.name) return
    if (logEnded(current())) response.end()
  })
  response.once('close', stop)
}
