import type { KubeObject } from '../../../core/index.ts'
import { timestamp } from '../../backend.ts'
import { number, partOf, records, text } from '../../object-parts.ts'
import { type Controller, type ControllerEnv, type Key, ownKey } from '../controller.ts'
import { recordEvent } from '../events.ts'
import { missingReference } from './pod-references.ts'
import { isEnded } from './pod-factory.ts'
import { type ContainerStage, type PodAddress, podStatus } from './pod-status.ts'
import { completes, simulationOf } from './simulation.ts'
import { deleteAs, setStatus } from '../writes.ts'

/** After five crashes the back-off of a kubelet is minutes long: nothing more happens within a test. */
const crashes = 5
const crashMs = 200

/** Runs Pods, or makes them fail in the way that an annotation asks for. */
export function kubelet(): Controller {
  // Objects carry times to the second; delays are kept exactly while the sandbox runs.
  const since = new Map<string, number>()
  return {
    name: 'kubelet',
    watches: {
      '/pods': (pod) => (text(partOf(pod, 'spec')['nodeName']) === '' ? [] : ownKey(pod)),
      '/configmaps': (object, _, index) => pending(object.metadata.namespace ?? '', index),
      '/secrets': (object, _, index) => pending(object.metadata.namespace ?? '', index),
    },
    reconcile: (key, env) => {
      const pod = env.backend.store.get('/pods', key.namespace, key.name)
      if (pod === undefined || text(partOf(pod, 'spec')['nodeName']) === '') return
      if (pod.metadata.deletionTimestamp !== undefined) {
        forget(pod, since)
        terminate(pod, env)
      } else if (!isEnded(pod)) run(pod, key, since, env)
    },
  }
}

function run(pod: KubeObject, key: Key, since: Map<string, number>, env: ControllerEnv): void {
  const { behaviour, exitCode } = simulationOf(pod)
  switch (behaviour) {
    case 'pending':
      report(pod, { stage: 'waiting', reason: 'ContainerCreating' }, env)
      return
    case 'image-pull-error':
      failPull(pod, env)
      return
    case 'config-error':
      failConfig(pod, 'simulated: configuration not found', env)
      return
    case 'crash-loop':
      crash(pod, exitCode, key, since, env)
      return
    case 'exit-code':
      if (completes(pod)) advance(pod, key, since, env)
      else crash(pod, exitCode, key, since, env)
      return
    case 'unready':
      if (!isRunning(pod)) start(pod, false, env)
      return
    case 'unschedulable':
    case 'job-fail':
    case 'hang':
    case 'slow':
    case 'never-terminates':
    case 'none':
      advance(pod, key, since, env)
  }
}

/** Takes a Pod one step on: to running, and from there to its end if it has one. */
function advance(pod: KubeObject, key: Key, since: Map<string, number>, env: ControllerEnv): void {
  const { behaviour, delayMs, exitCode } = simulationOf(pod)
  const running = isRunning(pod)
  const missing = running ? undefined : missingReference(pod, env.index)
  if (missing !== undefined) {
    if (missing.mount) failMount(pod, missing.message, env)
    else failConfig(pod, missing.message, env)
    return
  }
  const left = remaining(pod, running, delayMs, since, env)
  if (left > 0) {
    if (!running) report(pod, { stage: 'waiting', reason: 'ContainerCreating' }, env)
    env.after(left, key)
  } else if (!running) {
    start(pod, true, env)
  } else if (completes(pod) && behaviour !== 'hang') {
    const failed = behaviour === 'job-fail' || behaviour === 'exit-code'
    forget(pod, since)
    report(pod, { stage: 'ended', exitCode: failed ? exitCode : 0 }, env)
  }
}

function isRunning(pod: KubeObject): boolean {
  return partOf(pod, 'status')['phase'] === 'Running'
}

/** How long the Pod still takes for what it is at. */
function remaining(
  pod: KubeObject,
  running: boolean,
  delayMs: number,
  since: Map<string, number>,
  env: ControllerEnv,
): number {
  if (delayMs === 0) return 0
  const { uid = '' } = pod.metadata
  const now = env.backend.clock.now()
  const start = since.get(`${uid}/${running}`) ?? now
  since.set(`${uid}/${running}`, start)
  return start + delayMs - now
}

function forget({ metadata: { uid = '' } }: KubeObject, since: Map<string, number>): void {
  for (const key of [uid, `${uid}/true`, `${uid}/false`]) since.delete(key)
}

function start(pod: KubeObject, ready: boolean, env: ControllerEnv): void {
  report(pod, { stage: 'running', ready }, env)
  for (const container of records(partOf(pod, 'spec')['containers'])) {
    const [name, image] = [text(container['name']), text(container['image'])]
    tell(pod, 'Normal', 'Pulled', `Container image "${image}" already present on machine`, env)
    tell(pod, 'Normal', 'Created', `Container created: ${name}`, env)
    tell(pod, 'Normal', 'Started', `Container started: ${name}`, env)
  }
  if (!ready) tell(pod, 'Warning', 'Unhealthy', 'Readiness probe failed: simulated', env)
}

function failPull(pod: KubeObject, env: ControllerEnv): void {
  const image = text(records(partOf(pod, 'spec')['containers'])[0]?.['image'])
  const message = `Back-off pulling image "${image}": not found`
  if (!report(pod, { stage: 'waiting', reason: 'ImagePullBackOff', message }, env)) return
  tell(pod, 'Normal', 'Pulling', `Pulling image "${image}"`, env)
  tell(pod, 'Warning', 'Failed', `Failed to pull image "${image}": simulated: not found`, env)
  tell(pod, 'Normal', 'BackOff', `Back-off pulling image "${image}"`, env)
}

function failConfig(pod: KubeObject, message: string, env: ControllerEnv): void {
  if (!report(pod, { stage: 'waiting', reason: 'CreateContainerConfigError', message }, env)) return
  tell(pod, 'Warning', 'Failed', `Error: ${message}`, env)
}

function failMount(pod: KubeObject, message: string, env: ControllerEnv): void {
  if (!report(pod, { stage: 'waiting', reason: 'ContainerCreating' }, env)) return
  tell(pod, 'Warning', 'FailedMount', message, env)
}

function crash(pod: KubeObject, exitCode: number, key: Key, since: Map<string, number>, env: ControllerEnv): void {
  const restarts = number(records(partOf(pod, 'status')['containerStatuses'])[0]?.['restartCount'], 0)
  if (restarts >= crashes) return
  const { uid = '' } = pod.metadata
  const now = env.backend.clock.now()
  const left = restarts === 0 ? 0 : (since.get(uid) ?? now) + crashMs - now
  if (left > 0) {
    env.after(left, key)
    return
  }
  since.set(uid, now)
  report(pod, { stage: 'crashed', exitCode, restarts: restarts + 1 }, env)
  for (const container of records(partOf(pod, 'spec')['containers'])) {
    const name = text(container['name'])
    const home = `${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`
    tell(pod, 'Warning', 'BackOff', `Back-off restarting failed container ${name} in pod ${home}`, env)
  }
  env.after(crashMs, key)
}

function terminate(pod: KubeObject, env: ControllerEnv): void {
  const held = number(pod.metadata['deletionGracePeriodSeconds'], 0) > 0
  if (!held || simulationOf(pod).behaviour === 'never-terminates') return
  if (!isEnded(pod)) {
    for (const container of records(partOf(pod, 'spec')['containers'])) {
      tell(pod, 'Normal', 'Killing', `Stopping container ${text(container['name'])}`, env)
    }
  }
  deleteAs(env.backend, pod, { gracePeriodSeconds: 0 })
}

/** Writes the status; says whether it was news. */
function report(pod: KubeObject, at: ContainerStage, env: ControllerEnv): boolean {
  const status = podStatus(pod, at, addressOf(pod, env), timestamp(env.backend.clock))
  const stored = setStatus(env.backend, 'kubelet', pod, status)
  return stored.metadata.resourceVersion !== pod.metadata.resourceVersion
}

function tell(pod: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string, env: ControllerEnv): void {
  recordEvent(env.backend, 'kubelet', pod, { type, reason, message })
}

// The version of the write that bound the Pod is a number that no other Pod has.
function addressOf(pod: KubeObject, { index }: ControllerEnv): PodAddress {
  const spec = partOf(pod, 'spec')
  const node = index.get('/nodes', '', text(spec['nodeName']))
  const addresses = node === undefined ? [] : records(partOf(node, 'status')['addresses'])
  const hostIP = text(addresses.find(({ type }) => type === 'InternalIP')?.['address']) || '172.18.0.2'
  const unique = Number(pod.metadata.resourceVersion)
  const podIP = `10.${128 + ((unique >> 16) & 127)}.${(unique >> 8) & 255}.${unique & 255}`
  return { hostIP, podIP: spec['hostNetwork'] === true ? hostIP : podIP }
}

function pending(namespace: string, index: ControllerEnv['index']): Key[] {
  return index
    .inNamespace('/pods', namespace)
    .filter((pod) => partOf(pod, 'status')['phase'] === 'Pending' && text(partOf(pod, 'spec')['nodeName']) !== '')
    .flatMap(ownKey)
}
