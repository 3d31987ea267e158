import type { KubeObject } from '../../../core/index.ts'
import { StatusError } from '../../status-error.ts'
import { number, partOf, records, text } from '../../object-parts.ts'
import type { ControllerEnv } from '../controller.ts'
import { recordEvent } from '../events.ts'
import { controllerRef, podFromTemplate } from '../pods/pod-factory.ts'
import { createAs, deleteAs } from '../writes.ts'

const component = 'statefulset-controller'
const manager = 'kube-controller-manager'

/** The number in a Pod's name. */
export function ordinalOf(pod: KubeObject): number {
  return Number(/-(\d+)$/.exec(pod.metadata.name)?.[1] ?? -1)
}

/** Makes a Pod and the claims it needs; says whether that went well. */
export function createStatefulPod(
  set: KubeObject,
  ordinal: number,
  template: Record<string, unknown>,
  labels: Record<string, string>,
  env: ControllerEnv,
): boolean {
  const name = `${set.metadata.name}-${ordinal}`
  const spec = partOf(set, 'spec')
  const identity = { 'statefulset.kubernetes.io/pod-name': name, 'apps.kubernetes.io/pod-index': String(ordinal) }
  const pod = podFromTemplate(set, template, { name, labels: { ...labels, ...identity } })
  const claims = records(spec['volumeClaimTemplates'])
  const volumes = claims.map((claim) => {
    const volume = text(partOf(claim, 'metadata')['name'])
    return { name: volume, persistentVolumeClaim: { claimName: `${volume}-${name}` } }
  })
  const own = new Set(volumes.map((volume) => volume.name))
  const others = records(partOf(pod, 'spec')['volumes']).filter((volume) => !own.has(text(volume['name'])))
  const serviceName = text(spec['serviceName'])
  const podSpec = {
    ...partOf(pod, 'spec'),
    hostname: name,
    ...(serviceName === '' ? {} : { subdomain: serviceName }),
    ...(volumes.length + others.length > 0 ? { volumes: [...volumes, ...others] } : {}),
  }
  try {
    for (const claim of claims) createClaim(set, claim, name, env)
    createAs(env.backend, manager, { ...pod, spec: podSpec })
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    const message = `Create Pod ${name} in StatefulSet ${set.metadata.name} failed error: ${error.message}`
    recordEvent(env.backend, component, set, { type: 'Warning', reason: 'FailedCreate', message })
    return false
  }
  const message = `Create Pod ${name} in StatefulSet ${set.metadata.name} successful`
  recordEvent(env.backend, component, set, { type: 'Normal', reason: 'SuccessfulCreate', message })
  return true
}

/** Deletes a Pod, and its claims where the set says that they go with it. */
export function deleteStatefulPod(set: KubeObject, pod: KubeObject, env: ControllerEnv): void {
  deleteAs(env.backend, pod)
  const { name, namespace = '' } = pod.metadata
  const message = `Delete Pod ${name} in StatefulSet ${set.metadata.name} successful`
  recordEvent(env.backend, component, set, { type: 'Normal', reason: 'SuccessfulDelete', message })
  const spec = partOf(set, 'spec')
  const start = number(partOf(spec, 'ordinals')['start'], 0)
  const surplus = ordinalOf(pod) >= start + number(spec['replicas'], 1)
  if (!surplus || partOf(spec, 'persistentVolumeClaimRetentionPolicy')['whenScaled'] !== 'Delete') return
  for (const template of records(spec['volumeClaimTemplates'])) {
    const claim = `${text(partOf(template, 'metadata')['name'])}-${name}`
    const stored = env.index.get('/persistentvolumeclaims', namespace, claim)
    if (stored !== undefined) deleteAs(env.backend, stored)
  }
}

function createClaim(set: KubeObject, template: Record<string, unknown>, pod: string, env: ControllerEnv): void {
  const { namespace = '' } = set.metadata
  const metadata = partOf(template, 'metadata')
  const name = `${text(metadata['name'])}-${pod}`
  if (env.index.get('/persistentvolumeclaims', namespace, name) !== undefined) return
  const retention = partOf(set, 'spec', 'persistentVolumeClaimRetentionPolicy')
  const labels = { ...partOf(metadata, 'labels'), ...partOf(set, 'spec', 'selector', 'matchLabels') }
  const annotations = partOf(metadata, 'annotations') as Record<string, string>
  createAs(env.backend, manager, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      namespace,
      labels: labels as Record<string, string>,
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
      ...(retention['whenDeleted'] === 'Delete'
        ? { ownerReferences: [{ ...controllerRef(set), controller: false }] }
        : {}),
    },
    spec: partOf(template, 'spec'),
  })
  const message = `Create Claim ${name} Pod ${pod} in StatefulSet ${set.metadata.name} success`
  recordEvent(env.backend, component, set, { type: 'Normal', reason: 'SuccessfulCreate', message })
}
