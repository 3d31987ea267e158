import type { KubeObject } from '../../core/index.ts'

/** A ConfigMap with one value. */
export function config(name: string, text: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value: text } }
}

/** An Ingress, whose kind several groups have had. */
export function ingress(host: string): KubeObject {
  const backend = { service: { name: 's', port: { number: 80 } } }
  const spec = { rules: [{ host: `${host}.example`, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] }
  return { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'c' }, spec }
}

/** A Pod with variables. */
export function pod(variables: readonly string[]): KubeObject {
  const env = variables.map((name) => ({ name, value: name }))
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'main', image: 'nginx:1', env }] },
  }
}

/** A Job, whose template cannot be changed. */
export function job(image: string): KubeObject {
  const spec = { restartPolicy: 'Never', containers: [{ name: 'main', image: `busybox:${image}` }] }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' }, spec: { template: { spec } } }
}

/** A definition of Widgets. */
export function crd(): KubeObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  const names = { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.org' },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names,
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  }
}
