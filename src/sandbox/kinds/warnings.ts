import { isDeepStrictEqual } from 'node:util'
import { type KubeObject, stringifyJson } from '../../core/index.ts'
import { partOf } from '../object-parts.ts'
import { numberOf, type Part, partsOf, textOf } from './read.ts'

/** What the API server warns of in an object that it takes; nothing when the part in question did not change. */
export function warningsOf(object: KubeObject, old: KubeObject | undefined): string[] {
  const place = podPlaces[object.kind]
  if (place === undefined) return kindWarnings[object.kind]?.(object, old) ?? []
  const pod = partOf(object, ...place)
  const changed = old === undefined || !isDeepStrictEqual(partOf(pod, 'spec'), partOf(old, ...place, 'spec'))
  if (!changed) return []
  return [
    ...podWarnings(partOf(pod, 'spec'), [...place, 'spec'].join('.')),
    ...annotationWarnings(partOf(pod, 'metadata', 'annotations'), [...place, 'metadata'].join('.')),
  ]
}

/** Where kinds hold a Pod or its template. */
const podPlaces: Readonly<Record<string, readonly string[]>> = {
  Pod: [],
  Deployment: ['spec', 'template'],
  ReplicaSet: ['spec', 'template'],
  StatefulSet: ['spec', 'template'],
  DaemonSet: ['spec', 'template'],
  Job: ['spec', 'template'],
  ReplicationController: ['spec', 'template'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template'],
}

const kindWarnings: Readonly<Record<string, (object: KubeObject, old: KubeObject | undefined) => string[]>> = {
  Ingress: ({ metadata }, old) =>
    old === undefined && metadata.annotations?.['kubernetes.io/ingress.class'] !== undefined
      ? [`annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`]
      : [],
}

const deprecatedNodeLabels: Readonly<Record<string, readonly [since: string, use: string]>> = {
  'beta.kubernetes.io/arch': ['v1.14', 'kubernetes.io/arch'],
  'beta.kubernetes.io/os': ['v1.14', 'kubernetes.io/os'],
  'beta.kubernetes.io/instance-type': ['v1.17', 'node.kubernetes.io/instance-type'],
  'failure-domain.beta.kubernetes.io/region': ['v1.17', 'topology.kubernetes.io/region'],
  'failure-domain.beta.kubernetes.io/zone': ['v1.17', 'topology.kubernetes.io/zone'],
}

function podWarnings(spec: Part, path: string): string[] {
  const labels = Object.keys(partOf(spec, 'nodeSelector'))
    .sort()
    .flatMap((label) => {
      const [since, use] = deprecatedNodeLabels[label] ?? []
      return since === undefined
        ? []
        : [`${path}.nodeSelector[${label}]: deprecated since ${since}; use "${use}" instead`]
    })
  const containers = ['initContainers', 'containers'].flatMap((field) =>
    partsOf(spec, field).map((container, index) => ({ container, at: `${path}.${field}[${index}]` })),
  )
  return [
    ...labels,
    ...doubledWarnings(partsOf(spec, 'hostAliases'), 'ip', `${path}.hostAliases`),
    ...doubledWarnings(partsOf(spec, 'imagePullSecrets'), 'name', `${path}.imagePullSecrets`),
    ...containers.flatMap(({ container, at }) => [
      ...fractionWarnings(container, at),
      ...hiddenWarnings(container, at),
    ]),
    ...portWarnings(containers),
  ]
}

function doubledWarnings(parts: readonly Part[], field: string, path: string): string[] {
  const values = parts.map((part) => textOf(part, field))
  return values.flatMap((value, index) =>
    values.indexOf(value) === index ? [] : [`${path}[${index}].${field}: duplicate ${field} ${stringifyJson(value)}`],
  )
}

/** Half a byte is what people ask for who write `500m` of memory. */
function fractionWarnings(container: Part, path: string): string[] {
  const resources = partOf(container, 'resources')
  return ['memory', 'ephemeral-storage'].flatMap((name) =>
    ['limits', 'requests'].flatMap((list) => {
      const value = textOf(partOf(resources, list), name)
      const why = `fractional byte value ${stringifyJson(value)} is invalid, must be an integer`
      return value.endsWith('m') && Number(value.slice(0, -1)) % 1000 !== 0
        ? [`${path}.resources.${list}[${name}]: ${why}`]
        : []
    }),
  )
}

/** A variable may be defined in terms of an earlier one of the same name, but not simply again. */
function hiddenWarnings(container: Part, path: string): string[] {
  const variables = partsOf(container, 'env')
  const names = variables.map((variable) => textOf(variable, 'name'))
  return variables.flatMap((variable, index) => {
    const name = names[index] ?? ''
    const value = textOf(variable, 'value')
    const reference = `$(${name})`
    const extends_ = variable['valueFrom'] === undefined && value !== reference && value.includes(reference)
    if (names.indexOf(name) === index || extends_) return []
    return [`${path}.env[${index}]: hides previous definition of "${name}", which may be dropped when using apply`]
  })
}

/** Ports of all containers share the Pod's address. */
function portWarnings(containers: readonly { container: Part; at: string }[]): string[] {
  const ports = containers.flatMap(({ container, at }) =>
    partsOf(container, 'ports').map((port, index) => ({ port, at: `${at}.ports[${index}]` })),
  )
  const number = ({ port }: { port: Part }): string => `${String(port['containerPort'])}/${textOf(port, 'protocol')}`
  const same = ports.flatMap((one, index) =>
    ports
      .slice(0, index)
      .filter((other) => number(other) === number(one))
      .flatMap((other) => overlap(one, other)),
  )
  const names = ports.flatMap((one, index) => {
    const name = textOf(one.port, 'name')
    const first = name === '' ? undefined : ports.slice(0, index).find((other) => textOf(other.port, 'name') === name)
    if (first === undefined) return []
    const used = `services and probes that select ports by name will use ${first.at}`
    return [`${one.at}: duplicate port name "${name}" with ${first.at}, ${used}`]
  })
  return [...same, ...names]
}

interface Placed {
  readonly port: Part
  readonly at: string
}

function overlap(one: Placed, other: Placed): string[] {
  const host = ({ port }: Placed): number => numberOf(port, 'hostPort') ?? 0
  const ip = ({ port }: Placed): string => textOf(port, 'hostIP')
  if (host(one) === host(other) && ip(one) === ip(other)) {
    return [`${one.at}: duplicate port definition with ${other.at}`]
  }
  if (host(one) === 0 || host(other) === 0) return [`${one.at}: overlapping port definition with ${other.at}`]
  const ambiguous = host(one) === host(other) && (ip(one) === '') !== (ip(other) === '')
  return ambiguous ? [`${one.at}: dangerously ambiguous port definition with ${other.at}`] : []
}

function annotationWarnings(annotations: Part, path: string): string[] {
  return Object.keys(annotations)
    .sort()
    .flatMap((name) => {
      const place = `${path}.annotations[${name}]`
      if (name.startsWith('container.apparmor.security.beta.kubernetes.io/')) {
        return [`${place}: deprecated since v1.30; use the "appArmorProfile" field instead`]
      }
      if (name === 'seccomp.security.alpha.kubernetes.io/pod') {
        return [`${place}: non-functional in v1.27+; use the "seccompProfile" field instead`]
      }
      return []
    })
}
