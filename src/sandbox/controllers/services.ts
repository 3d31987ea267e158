import { isDeepStrictEqual } from 'node:util'
import type { KubeObject } from '../../core/index.ts'
import { timestamp } from '../backend.ts'
import { partOf, records, text } from '../object-parts.ts'
import { isReady } from './workloads/availability.ts'
import { type Controller, type ControllerEnv, type Key, ownKey } from './controller.ts'
import { controllerRef, isEnded } from './pods/pod-factory.ts'
import { createAs, deleteAs, setStatus, updateAs } from './writes.ts'

const slices = 'discovery.k8s.io/endpointslices'
const manager = 'kube-controller-manager'
/** How many endpoints a slice holds at most. */
const sliceSize = 100

/** Keeps EndpointSlices and Endpoints of Services, and gives load balancers an address. */
export const serviceController: Controller = {
  name: 'service',
  watches: {
    '/services': ownKey,
    [slices]: (slice, _, __, ___, gone) => (gone ? servicesOf(slice) : []),
    '/pods': (pod, previous, index) =>
      index
        .inNamespace('/services', pod.metadata.namespace ?? '')
        .filter((service) => selectsPod(service, pod) || (previous !== undefined && selectsPod(service, previous)))
        .flatMap(ownKey),
  },
  reconcile: (key, env) => {
    const service = env.backend.store.get('/services', key.namespace, key.name)
    if (service === undefined) {
      const endpoints = env.backend.store.get('/endpoints', key.namespace, key.name)
      if (endpoints?.metadata.labels?.[managedLabel] === 'endpoint-controller') deleteAs(env.backend, endpoints)
      return
    }
    if (service.metadata.deletionTimestamp !== undefined) return
    balance(service, env)
    if (Object.keys(partOf(service, 'spec', 'selector')).length === 0) return
    const pods = env.index
      .inNamespace('/pods', key.namespace)
      .filter((pod) => selectsPod(service, pod) && text(partOf(pod, 'status')['podIP']) !== '' && !isEnded(pod))
      .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    writeSlices(service, pods, env)
    writeEndpoints(service, pods, env)
  },
}

const triggerTime = 'endpoints.kubernetes.io/last-change-trigger-time'
const managedLabel = 'endpoints.kubernetes.io/managed-by'

function writeSlices(service: KubeObject, pods: readonly KubeObject[], env: ControllerEnv): void {
  const known = env.index.controlled(service, slices).sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  const count = Math.max(1, Math.ceil(pods.length / sliceSize))
  const ports = portsOf(service, pods[0])
  for (let at = 0; at < count; at += 1) {
    const endpoints = pods.slice(at * sliceSize, (at + 1) * sliceSize).map((pod) => endpointOf(service, pod))
    const slice = known[at]
    if (slice === undefined) createSlice(service, endpoints, ports, env)
    else if (!isDeepStrictEqual([slice['endpoints'] ?? [], slice['ports'] ?? []], [endpoints, ports])) {
      updateAs(env.backend, manager, { ...triggered(slice, env), endpoints, ports })
    }
  }
  for (const slice of known.slice(count)) deleteAs(env.backend, slice)
}

function createSlice(
  service: KubeObject,
  endpoints: Record<string, unknown>[],
  ports: Record<string, unknown>[],
  env: ControllerEnv,
): void {
  const { name, namespace = '', labels } = service.metadata
  createAs(env.backend, manager, {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: {
        ...labels,
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        'kubernetes.io/service-name': name,
        ...(partOf(service, 'spec')['clusterIP'] === 'None' ? { 'service.kubernetes.io/headless': '' } : {}),
      },
      annotations: { [triggerTime]: timestamp(env.backend.clock) },
      ownerReferences: [controllerRef(service)],
    },
    addressType: 'IPv4',
    endpoints,
    ports,
  })
}

function writeEndpoints(service: KubeObject, pods: readonly KubeObject[], env: ControllerEnv): void {
  const { name, namespace = '', labels } = service.metadata
  const addresses = (ready: boolean): Record<string, unknown>[] =>
    pods
      .filter((pod) => pod.metadata.deletionTimestamp === undefined && serves(service, pod) === ready)
      .map((pod) => ({
        ip: partOf(pod, 'status')['podIP'],
        nodeName: partOf(pod, 'spec')['nodeName'],
        targetRef: targetOf(pod),
      }))
  const [ready, notReady] = [addresses(true), addresses(false)]
  const ports = portsOf(service, pods[0])
  const subset = {
    ...(ready.length === 0 ? {} : { addresses: ready }),
    ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady }),
    ...(ports.length === 0
      ? {}
      : { ports: ports.map(({ name: port, ...rest }) => (port === '' ? rest : { name: port, ...rest })) }),
  }
  const subsets = ready.length + notReady.length === 0 ? {} : { subsets: [subset] }
  const known = env.backend.store.get('/endpoints', namespace, name)
  const annotations = { [triggerTime]: timestamp(env.backend.clock) }
  const metadata = { name, namespace, labels: { ...labels, [managedLabel]: 'endpoint-controller' }, annotations }
  if (known === undefined) {
    createAs(env.backend, manager, { apiVersion: 'v1', kind: 'Endpoints', metadata, ...subsets })
  } else if (!isDeepStrictEqual(known['subsets'], subsets.subsets)) {
    const { subsets: _, ...rest } = triggered(known, env)
    updateAs(env.backend, manager, { ...rest, ...subsets })
  }
}

function triggered(object: KubeObject, { backend }: ControllerEnv): KubeObject {
  const annotations = { ...object.metadata.annotations, [triggerTime]: timestamp(backend.clock) }
  return { ...object, metadata: { ...object.metadata, annotations } }
}

function balance(service: KubeObject, env: ControllerEnv): void {
  const spec = partOf(service, 'spec')
  const status = partOf(service, 'status')
  const wants = spec['type'] === 'LoadBalancer' && text(spec['loadBalancerClass']) === ''
  const has = records(partOf(status, 'loadBalancer')['ingress']).length > 0
  if (wants === has) return
  const unique = Number(service.metadata.resourceVersion)
  const ip = text(spec['loadBalancerIP']) || `172.19.${(unique >> 8) & 255}.${unique & 255}`
  const loadBalancer = wants ? { ingress: [{ ip, ipMode: 'VIP' }] } : {}
  setStatus(env.backend, 'cloud-controller-manager', service, { ...status, loadBalancer })
}

function endpointOf(service: KubeObject, pod: KubeObject): Record<string, unknown> {
  const terminating = pod.metadata.deletionTimestamp !== undefined
  const serving = isReady(pod)
  const ready = partOf(service, 'spec')['publishNotReadyAddresses'] === true || (serving && !terminating)
  const { hostname } = partOf(pod, 'spec')
  const named = text(hostname) !== '' && partOf(pod, 'spec')['subdomain'] === service.metadata.name
  return {
    addresses: [partOf(pod, 'status')['podIP']],
    conditions: { ready, serving, terminating },
    ...(named ? { hostname } : {}),
    targetRef: targetOf(pod),
    nodeName: partOf(pod, 'spec')['nodeName'],
  }
}

function portsOf(service: KubeObject, pod: KubeObject | undefined): Record<string, unknown>[] {
  return records(partOf(service, 'spec')['ports']).flatMap((port) => {
    const target = port['targetPort'] ?? port['port']
    const number = typeof target === 'number' ? target : pod === undefined ? undefined : namedPort(pod, text(target))
    const protocol = text(port['protocol']) || 'TCP'
    const { appProtocol } = port
    const application = appProtocol === undefined ? {} : { appProtocol }
    return number === undefined || pod === undefined
      ? []
      : [{ name: text(port['name']), port: number, protocol, ...application }]
  })
}

function namedPort(pod: KubeObject, name: string): number | undefined {
  const spec = partOf(pod, 'spec')
  const ports = [...records(spec['containers']), ...records(spec['initContainers'])].flatMap((one) =>
    records(one['ports']),
  )
  const found = ports.find((port) => port['name'] === name)?.['containerPort']
  return typeof found === 'number' ? found : undefined
}

function serves(service: KubeObject, pod: KubeObject): boolean {
  return partOf(service, 'spec')['publishNotReadyAddresses'] === true || isReady(pod)
}

function targetOf({ metadata: { name, namespace, uid } }: KubeObject): Record<string, unknown> {
  return { kind: 'Pod', namespace, name, uid }
}

function selectsPod(service: KubeObject, pod: KubeObject): boolean {
  const wanted = Object.entries(partOf(service, 'spec', 'selector'))
  return wanted.length > 0 && wanted.every(([key, value]) => pod.metadata.labels?.[key] === value)
}

function servicesOf(slice: KubeObject): Key[] {
  const name = slice.metadata.labels?.['kubernetes.io/service-name']
  return name === undefined ? [] : [{ namespace: slice.metadata.namespace ?? '', name }]
}
