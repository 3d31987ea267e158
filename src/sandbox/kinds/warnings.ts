import { isDeepStrictEqual } from 'node:util'
import type { KubeObject } from '../../core/index.ts'
import { partOf } from '../object-parts.ts'
import { type Part, partsOf, textOf } from './read.ts'

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
    partsOf(spec, field).flatMap((container, index) => containerWarnings(container, `${path}.${field}[${index}]`)),
  )
  return [...labels, ...containers]
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

function containerWarnings(container: Part, path: string): string[] {
  const names = partsOf(container, 'env').map((variable) => textOf(variable, 'name'))
  const hidden = names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [`${path}.env[${index}]: hides previous definition of "${name}", which may be dropped when using apply`],
  )
  const ports = partsOf(container, 'ports').map(
    (port) => `${String(port['containerPort'])}/${textOf(port, 'protocol')}`,
  )
  const doubled = ports.flatMap((port, index) => {
    const first = ports.indexOf(port)
    return first === index ? [] : [`${path}.ports[${index}]: duplicate port definition with ${path}.ports[${first}]`]
  })
  return [...hidden, ...doubled]
}
