import { isRecord } from '../../../core/index.ts'
import { partOf } from '../../object-parts.ts'
import type { Complete } from '../family.ts'
import { ensurePart, fill, type Part, partsOf, textOf } from '../read.ts'

/** Defaults of Pods, of pod templates and of all that is in them. */
export const podDefaults: Readonly<Record<string, Complete>> = {
  'core.v1.Pod': completePod,
  'core.v1.PodSpec': completePodSpec,
  'core.v1.Container': completeContainer,
  'core.v1.EphemeralContainer': completeContainer,
  'core.v1.Probe': (probe) =>
    fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }),
  'core.v1.HTTPGetAction': (action) => fill(action, { path: '/', scheme: 'HTTP' }),
  'core.v1.GRPCAction': (action) => fill(action, { service: '' }),
  'core.v1.ObjectFieldSelector': (selector) => fill(selector, { apiVersion: 'v1' }),
  'core.v1.Volume': completeVolume,
  'core.v1.SecretVolumeSource': (source) => fill(source, { defaultMode: 0o644 }),
  'core.v1.ConfigMapVolumeSource': (source) => fill(source, { defaultMode: 0o644 }),
  'core.v1.DownwardAPIVolumeSource': (source) => fill(source, { defaultMode: 0o644 }),
  'core.v1.ProjectedVolumeSource': (source) => fill(source, { defaultMode: 0o644 }),
  'core.v1.ServiceAccountTokenProjection': (projection) => fill(projection, { expirationSeconds: 3600 }),
  'core.v1.HostPathVolumeSource': (source) => fill(source, { type: '' }),
}

function completePodSpec(spec: Part): void {
  fill(spec, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
  })
  ensurePart(spec, 'securityContext')
  // The old name of the field and the new one always say the same.
  const account = textOf(spec, 'serviceAccountName') || textOf(spec, 'serviceAccount')
  if (account !== '') Object.assign(spec, { serviceAccountName: account, serviceAccount: account })
  if (spec['hostNetwork'] === true) useHostPorts(spec)
}

/** What is completed in Pods only, so that templates stay as their authors wrote them. */
function completePod(pod: Part): void {
  const spec = partOf(pod, 'spec')
  for (const container of [...partsOf(spec, 'containers'), ...partsOf(spec, 'initContainers')]) requestLimits(container)
  fill(spec, { enableServiceLinks: true })
}

function requestLimits(container: Part): void {
  const resources = partOf(container, 'resources')
  if (!isRecord(resources['limits'])) return
  fill(ensurePart(resources, 'requests'), resources['limits'])
}

function useHostPorts(spec: Part): void {
  for (const container of [...partsOf(spec, 'containers'), ...partsOf(spec, 'initContainers')]) {
    for (const port of partsOf(container, 'ports')) fill(port, { hostPort: port['containerPort'] })
  }
}

function completeContainer(container: Part): void {
  fill(container, {
    imagePullPolicy: pullPolicy(textOf(container, 'image')),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  })
}

function completeVolume(volume: Part): void {
  // A volume without a source is an empty directory.
  if (Object.keys(volume).length <= 1 && 'name' in volume) volume['emptyDir'] = {}
  const image = partOf(volume, 'image')
  if (volume['image'] !== undefined) fill(image, { pullPolicy: pullPolicy(textOf(image, 'reference')) })
}

/** Images without a tag, or with the tag latest, may change at any time. */
function pullPolicy(image: string): string {
  if (image.includes('@')) return 'IfNotPresent'
  const tag = /:([^:/]+)$/.exec(image)?.[1]
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent'
}
