import type { KubeObject } from '../../../core/index.ts'
import type { Backend } from '../../backend.ts'
import { simulationOf } from '../../controllers/pods/simulation.ts'
import { badRequest, invalid } from '../../status-error.ts'
import { partOf, records, text } from '../../object-parts.ts'
import type { ResourceRequest } from '../resource-request.ts'
import { stored } from '../write/update.ts'

/** The log of a container that was never real: what an annotation gives, or a few plausible lines. */
export function containerLog(backend: Backend, info: ResourceRequest, query: URLSearchParams): string {
  const pod = stored(backend, info)
  const tail = tailLines(pod, query)
  const container = chosenContainer(pod, query.get('container') ?? '')
  // Without a node there is nobody to ask, and the API server answers for itself.
  if (text(partOf(pod, 'spec')['nodeName']) === '') return ''
  const previous = query.get('previous') === 'true'
  const started = startOf(pod, container, previous)
  const since = sinceOf(query, backend)
  // One line a millisecond, so that times are in order.
  const lines = linesOf(pod, container)
    .map((line, at) => ({ line, time: started + at }))
    .filter(({ time }) => time >= since)
  const kept = tail === undefined ? lines : lines.slice(Math.max(0, lines.length - tail))
  const timed = query.get('timestamps') === 'true'
  const shown = kept.map(({ line, time }) => (timed ? `${nanoseconds(time)} ${line}\n` : `${line}\n`)).join('')
  const limit = Number(query.get('limitBytes') ?? Number.NaN)
  return Number.isNaN(limit) ? shown : Buffer.from(shown).subarray(0, limit).toString()
}

/** Whether a Pod will log nothing more: it has ended or is gone. */
export function logEnded(pod: KubeObject | undefined): boolean {
  const phase = pod === undefined ? 'Failed' : partOf(pod, 'status')['phase']
  return phase === 'Succeeded' || phase === 'Failed'
}

/** The container that a request names, or the only one; refused as a kubelet refuses it. */
export function chosenContainer(pod: KubeObject, wanted: string): string {
  const spec = partOf(pod, 'spec')
  const main = records(spec['containers']).map((container) => text(container['name']))
  const init = records(spec['initContainers']).map((container) => text(container['name']))
  const { name } = pod.metadata
  if (wanted === '') {
    const [only] = main
    if (only !== undefined && main.length === 1 && init.length === 0) return only
    const others = init.length === 0 ? '' : ` or one of the init containers: [${init.join(' ')}]`
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${main.join(' ')}]${others}`)
  }
  if (![...main, ...init].includes(wanted)) throw badRequest(`container ${wanted} is not valid for pod ${name}`)
  return wanted
}

/** When the container's log began; refused as a kubelet refuses it while there is none. */
function startOf(pod: KubeObject, container: string, previous: boolean): number {
  const status = partOf(pod, 'status')
  const all = [...records(status['containerStatuses']), ...records(status['initContainerStatuses'])]
  const found = all.find((one) => one['name'] === container)
  const { name } = pod.metadata
  const last = partOf(found, 'lastState', 'terminated')
  if (previous && last['startedAt'] === undefined) {
    throw badRequest(`previous terminated container "${container}" in pod "${name}" not found`)
  }
  const waiting = partOf(found, 'state', 'waiting')
  const current = { ...last, ...partOf(found, 'state', 'running'), ...partOf(found, 'state', 'terminated') }
  if (current['startedAt'] === undefined) {
    throw badRequest(`container "${container}" in pod "${name}" is waiting to start: ${waitingFor(waiting)}`)
  }
  return Date.parse(text(current['startedAt']))
}

function waitingFor(waiting: Record<string, unknown>): string {
  const reason = text(waiting['reason'])
  if (reason === 'ImagePullBackOff' || reason === 'ErrImagePull') return 'trying and failing to pull image'
  return reason === '' ? 'ContainerCreating' : reason
}

function linesOf(pod: KubeObject, container: string): string[] {
  const { logs, behaviour, exitCode } = simulationOf(pod)
  if (logs !== undefined) return logs.replace(/\n$/, '').split('\n')
  const begun = [`starting ${container}`]
  const ended = ['crash-loop', 'exit-code', 'job-fail'].includes(behaviour)
  if (ended) return [...begun, `simulated failure, exit code ${exitCode}`]
  return partOf(pod, 'status')['phase'] === 'Succeeded' ? [...begun, 'done'] : [...begun, 'listening on :8080']
}

function tailLines(pod: KubeObject, query: URLSearchParams): number | undefined {
  const given = query.get('tailLines')
  if (given === null) return undefined
  const lines = Number(given)
  if (Number.isInteger(lines) && lines >= 0) return lines
  const message = `Invalid value: ${given}: must be greater than or equal to 0`
  const subject = { group: '', resource: 'pods', kind: 'PodLogOptions' }
  throw invalid(subject, pod.metadata.name, [{ reason: 'FieldValueInvalid', message, field: 'tailLines' }])
}

function sinceOf(query: URLSearchParams, { clock }: Backend): number {
  const seconds = query.get('sinceSeconds')
  if (seconds !== null) return clock.now() - Number(seconds) * 1000
  const time = query.get('sinceTime')
  return time === null ? Number.NEGATIVE_INFINITY : Date.parse(time)
}

function nanoseconds(time: number): string {
  return new Date(time).toISOString().replace('Z', '000000Z')
}
