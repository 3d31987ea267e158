import type { KubeObject } from '../../core/index.ts'

/** A ConfigMap. */
export function config(name: string, value: string, annotations?: Record<string, string>): KubeObject {
  const metadata = { name, ...(annotations === undefined ? {} : { annotations }) }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value } }
}

/** A Namespace. */
export function namespaceObject(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}

/** A Pod template that behaves as the sandbox is asked to. */
function template(
  simulate: Readonly<Record<string, string>>,
  labels: Record<string, string>,
  image = 'registry.example/x:1',
): Record<string, unknown> {
  const annotations = Object.fromEntries(
    Object.entries(simulate).map(([key, value]) => [`lading.dev/simulate${key === '' ? '' : `-${key}`}`, value]),
  )
  return { metadata: { labels, annotations }, spec: { containers: [{ name: 'main', image }] } }
}

/** A hook that runs to its end: a Job, or a Pod. */
export function hook(
  name: string,
  phases: string,
  more: { kind?: 'Job' | 'Pod'; annotations?: Record<string, string>; simulate?: Record<string, string>; spec?: object } = {},
): KubeObject {
  const pod = template(more.simulate ?? {}, {}) as { metadata: { annotations: object }; spec: object }
  const annotations = { 'helm.sh/hook': phases, ...more.annotations }
  const spec = { ...pod.spec, restartPolicy: 'Never' }
  if (more.kind === 'Pod') {
    const metadata = { name, annotations: { ...annotations, ...pod.metadata.annotations } }
    return { apiVersion: 'v1', kind: 'Pod', metadata, spec }
  }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, annotations },
    spec: { backoffLimit: 0, ...more.spec, template: { ...pod, spec } },
  }
}

/** A Deployment. */
export function deployment(
  name: string,
  more: {
    simulate?: Record<string, string>
    annotations?: Record<string, string>
    image?: string
    replicas?: number
    spec?: object
  } = {},
): KubeObject {
  const labels = { app: name }
  const { simulate = {}, annotations, image, replicas, spec } = more
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, ...(annotations === undefined ? {} : { annotations }) },
    spec: {
      ...(replicas === undefined ? {} : { replicas }),
      selector: { matchLabels: labels },
      template: template(simulate, labels, image),
      ...spec,
    },
  }
}

/** A CustomResourceDefinition of the kind Shop. */
export function shopCrd(group: string, versions: readonly string[], annotations?: Record<string, string>): KubeObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `shops.${group}`, ...(annotations === undefined ? {} : { annotations }) },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Shop', plural: 'shops', singular: 'shop', listKind: 'ShopList' },
      versions: versions.map((name, at) => ({
        name,
        served: true,
        storage: at === versions.length - 1,
        subresources: { status: {} },
        schema,
      })),
    },
  }
}

/** The same, whose schema promises conditions in the status. */
export function promisingCrd(group: string): KubeObject {
  const crd = shopCrd(group, ['v1'])
  const { versions, ...spec } = crd['spec'] as { versions: object[] }
  const conditions = { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  const properties = {
    spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    status: { type: 'object', properties: { conditions, phase: { type: 'string' } } },
  }
  const schema = { openAPIV3Schema: { type: 'object', properties } }
  return { ...crd, spec: { ...spec, versions: versions.map((version) => ({ ...version, schema })) } }
}
