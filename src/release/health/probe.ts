import { type Context, gvkOf, isLadingError, isRecord, type KubeObject } from '../../core/index.ts'
import { type Cluster, execInPod, getObject, listObjects, selectorOf } from '../../kube/index.ts'
import { replicasOf } from './health-status.ts'
import type { CommandCheck, HealthCheck, HttpCheck, UrlCheck } from './parse-check.ts'
import { askUrl, type HealthUrls, isRefusedUrl } from './url-access.ts'

/** How one look at a check went. */
export interface ProbeResult {
  readonly passed: boolean
  readonly message: string
}

const probeTimeoutMs = 10_000
/** The largest answer to a health check that is accepted; it is not read. */
const maxAnswerBytes = 1024 * 1024
const podsAtOnce = 8

/**
 * Looks once whether a check passes: http through the API server's proxy, addresses that are allowed directly, commands through its exec. A workload passes when all
 * its pods do. What the API server itself refuses is thrown, since trying again does not help.
 */
export async function probe(
  cluster: Cluster,
  check: HealthCheck,
  healthUrls: HealthUrls | undefined,
  ctx: Context,
): Promise<ProbeResult> {
  if (check.type === 'url') return await askDirectly(check, healthUrls, ctx)
  if (check.type === 'http' && check.ref.kind === 'Service') {
    return await ask(cluster, 'services', check.ref.namespace ?? '', `${check.ref.name}:${check.port}`, check, ctx)
  }
  const object = await getObject(cluster, check.ref, ctx)
  if (object === undefined) return failed('does not exist')
  const pods = await podsOf(cluster, object, ctx)
  if (pods.length === 0) {
    return replicasOf(object).desired === 0 ? passed('is scaled to zero') : failed('has no running pod')
  }
  for (let at = 0; at < pods.length; at += podsAtOnce) {
    const results = await Promise.all(pods.slice(at, at + podsAtOnce).map((pod) => probePod(cluster, pod, check, ctx)))
    const bad = results.find((result) => !result.passed)
    if (bad !== undefined) return bad
  }
  return passed(`${describe(check)} passed in ${pods.length === 1 ? 'its pod' : `${pods.length} pods`}`)
}

async function probePod(
  cluster: Cluster,
  pod: KubeObject,
  check: HttpCheck | CommandCheck,
  ctx: Context,
): Promise<ProbeResult> {
  const { name, namespace = '' } = pod.metadata
  if (check.type === 'command') return await run(cluster, pod, check, ctx)
  const port = portOf(pod, check.port)
  if (port === undefined) return failed(`pod ${name} has no port named ${check.port}`)
  return await ask(cluster, 'pods', namespace, `${name}:${port}`, check, ctx)
}

async function askDirectly(check: UrlCheck, healthUrls: HealthUrls | undefined, ctx: Context): Promise<ProbeResult> {
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(probeTimeoutMs)])
  try {
    const status = await askUrl(check.url, healthUrls, signal)
    return status < 400
      ? passed(`${describe(check)} answered ${status}`)
      : failed(`${describe(check)} answered ${status}`)
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (isRefusedUrl(error)) throw error
    const { message } = error as Error
    return failed(`${describe(check)} failed: ${message}`)
  }
}

async function ask(
  cluster: Cluster,
  resource: 'pods' | 'services',
  namespace: string,
  target: string,
  check: HttpCheck,
  ctx: Context,
): Promise<ProbeResult> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/${resource}/${encodeURIComponent(target)}/proxy${check.path}`
  const request = {
    method: 'GET',
    path,
    accept: '*/*',
    timeoutMs: probeTimeoutMs,
    maxBytes: maxAnswerBytes,
    repeatable: false,
  } as const
  try {
    const { status } = await cluster.transport.request(request, ctx)
    return passed(`${describe(check)} answered ${status}`)
  } catch (error) {
    if (ctx.signal.aborted || !isLadingError(error)) throw error
    const { status, reason } = error.details
    // Only the API server answers with a Status that has a reason; the same code from the application is its own.
    if (error.code === 'kube.forbidden' && reason === 'Forbidden') throw error
    // As the kubelet's own probes do it, a redirect counts as an answer.
    if (typeof status === 'number' && status < 400) return passed(`${describe(check)} answered ${status}`)
    const why = typeof status === 'number' && reason === undefined ? `answered ${status}` : `failed: ${error.message}`
    return failed(`${describe(check)} on ${target} ${why}`)
  }
}

async function run(cluster: Cluster, pod: KubeObject, check: CommandCheck, ctx: Context): Promise<ProbeResult> {
  const { name, namespace = '' } = pod.metadata
  const container = containerOf(pod)
  const options = {
    command: check.command,
    timeoutMs: probeTimeoutMs,
    ...(container === undefined ? {} : { container }),
  }
  try {
    const { exitCode, stderr, stdout } = await execInPod(cluster, { namespace, name }, options, ctx)
    if (exitCode === 0) return passed(`${describe(check)} passed`)
    const said = lastLine(stderr) ?? lastLine(stdout)
    return failed(`${describe(check)} in pod ${name} ended with ${exitCode}${said === undefined ? '' : `: ${said}`}`)
  } catch (error) {
    if (
      ctx.signal.aborted ||
      !isLadingError(error) ||
      error.code === 'kube.forbidden' ||
      error.code === 'kube.unsupported'
    )
      throw error
    return failed(`${describe(check)} in pod ${name} failed: ${error.message}`)
  }
}

/** The pods of an object that run and are to stay. */
async function podsOf(cluster: Cluster, object: KubeObject, ctx: Context): Promise<KubeObject[]> {
  const { group, kind } = gvkOf(object)
  if (group === '' && kind === 'Pod') return [object].filter(isRunning)
  const labelSelector = selectorOf(object)
  const { namespace } = object.metadata
  if (labelSelector === undefined || namespace === undefined) return []
  const { items } = await listObjects(
    cluster,
    { gvk: { group: '', version: 'v1', kind: 'Pod' }, namespace, labelSelector },
    ctx,
  )
  return items.filter(isRunning)
}

function isRunning(pod: KubeObject): boolean {
  const status = pod['status']
  return pod.metadata.deletionTimestamp === undefined && isRecord(status) && status['phase'] === 'Running'
}

/** The proxy of pods knows no names of ports. */
function portOf(pod: KubeObject, port: string): string | undefined {
  if (/^\d+$/.test(port)) return port
  const ports = containersOf(pod).flatMap((container) => (Array.isArray(container['ports']) ? container['ports'] : []))
  const found = ports.find((each: unknown) => isRecord(each) && each['name'] === port) as
    | Record<string, unknown>
    | undefined
  return typeof found?.['containerPort'] === 'number' ? String(found['containerPort']) : undefined
}

/** As kubectl chooses it: the one that the pod names, otherwise the first. */
function containerOf(pod: KubeObject): string | undefined {
  const named = pod.metadata.annotations?.['kubectl.kubernetes.io/default-container']
  const first = containersOf(pod)[0]?.['name']
  return named ?? (typeof first === 'string' ? first : undefined)
}

function containersOf(pod: KubeObject): Record<string, unknown>[] {
  const spec = pod['spec']
  return isRecord(spec) && Array.isArray(spec['containers']) ? spec['containers'].filter(isRecord) : []
}

function describe(check: HealthCheck): string {
  if (check.type === 'url') return `health check GET ${check.url.split('?')[0]}`
  return check.type === 'http' ? `health check GET ${check.path.split('?')[0]}` : `health check ${check.command[0]}`
}

function lastLine(text: string): string | undefined {
  const line = text.trim().split('\n').at(-1)?.trim()
  return line === undefined || line === '' ? undefined : line.slice(0, 200)
}

function passed(message: string): ProbeResult {
  return { passed: true, message }
}

function failed(message: string): ProbeResult {
  return { passed: false, message }
}
