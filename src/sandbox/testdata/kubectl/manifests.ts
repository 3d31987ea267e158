/** A ConfigMap as YAML. */
export function configMapYaml(name: string, data: Record<string, string>, labels: Record<string, string> = {}): string {
  const metadata = { name, ...(Object.keys(labels).length > 0 ? { labels } : {}) }
  return asYaml({ apiVersion: 'v1', kind: 'ConfigMap', metadata, ...(Object.keys(data).length > 0 ? { data } : {}) })
}

/** A Deployment and its Service as YAML. */
export function webYaml(changes: { image?: string; replicas?: number; env?: Record<string, string> } = {}): string {
  const labels = { app: 'web' }
  const env = Object.entries(changes.env ?? {}).map(([name, value]) => ({ name, value }))
  const container = {
    name: 'web',
    image: changes.image ?? 'registry.example/web:1',
    ports: [{ containerPort: 8080, name: 'http' }],
    ...(env.length > 0 ? { env } : {}),
  }
  const template = { metadata: { labels }, spec: { containers: [container] } }
  return [
    asYaml({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', labels },
      spec: { replicas: changes.replicas ?? 2, selector: { matchLabels: labels }, template },
    }),
    asYaml({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', labels },
      spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    }),
  ].join('---\n')
}

/** A CRD with columns, a status, a scale and a rule, as YAML. */
export function gadgetCrdYaml(group: string): string {
  return asYaml({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `gadgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', shortNames: ['gdg'], categories: ['all'] },
      versions: [gadgetVersion],
    },
  })
}

const gadgetVersion = {
  name: 'v1',
  served: true,
  storage: true,
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
  additionalPrinterColumns: [
    { name: 'Size', type: 'string', jsonPath: '.spec.size' },
    { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
    { name: 'Notes', type: 'string', jsonPath: '.spec.notes', priority: 1 },
  ],
  schema: {
    openAPIV3Schema: {
      type: 'object',
      required: ['spec'],
      properties: {
        spec: {
          type: 'object',
          description: 'What the gadget should be.',
          required: ['size'],
          properties: {
            size: { type: 'string', enum: ['small', 'large'], description: 'How big it is.' },
            replicas: { type: 'integer', minimum: 0, default: 1 },
            notes: { type: 'string' },
          },
          'x-kubernetes-validations': [
            { rule: "self.size != 'small' || self.replicas <= 3", message: 'small gadgets come in threes at most' },
          ],
        },
        status: {
          type: 'object',
          properties: {
            replicas: { type: 'integer' },
            conditions: {
              type: 'array',
              items: {
                type: 'object',
                properties: { type: { type: 'string' }, status: { type: 'string' } },
              },
            },
          },
        },
      },
    },
  },
}

/** A value as YAML; JSON is YAML. */
export function asYaml(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
