import * as fc from 'fast-check'

/** What any of these makes: a plain object. */
export type Fields = Record<string, unknown>

// Few names, so that objects meet: references that hit, patches that find their target, merges and clashes.
/** Names of objects. */
export const objectName = fc.constantFrom('web', 'db', 'conf', 'creds', 'runner')
/** Names of namespaces. */
export const namespace = fc.constantFrom('prod', 'dev', 'default')
/** Images, in each way to write one. */
export const image = fc.constantFrom(
  'nginx',
  'nginx:1.27',
  'example.com:5000/team/app:v1',
  'redis@sha256:' + '1'.repeat(64),
)
/** Text, much of which YAML would read as something else. */
export const word = fc.constantFrom(
  'a',
  'b c',
  '1',
  'true',
  'yes',
  '',
  '0x10',
  'it’s',
  'a: b',
  '- x',
  'null',
  '1.50',
  'two\nlines\n',
)
/** Keys of labels and annotations. */
export const label = fc.constantFrom('app', 'tier', 'example.com/part', 'on', 'z')
/** A map of labels. */
export const labels = fc.dictionary(label, fc.constantFrom('one', 'two', '3', 'true'), {
  minKeys: 1,
  maxKeys: 3,
  noNullPrototype: true,
})

/** Environment variables of a container, some from the ConfigMaps that are about. */
export function env(): fc.Arbitrary<Fields[]> {
  const entry = fc.oneof(
    fc.record({ name: fc.constantFrom('A', 'B'), value: word }),
    fc.tuple(fc.constantFrom('C', 'D'), fc.constantFrom('conf', 'gen')).map(([name, from]) => ({
      name,
      valueFrom: { configMapKeyRef: { name: from, key: 'key' } },
    })),
  )
  return fc.uniqueArray(entry, { maxLength: 3, selector: ({ name }) => name })
}

/** An object of one of a dozen kinds. */
export function object(): fc.Arbitrary<Fields> {
  const metadata = fc.record(
    {
      name: objectName,
      namespace,
      labels,
      annotations: fc.dictionary(label, word, { maxKeys: 2, noNullPrototype: true }),
    },
    { requiredKeys: ['name'] },
  )
  return fc
    .tuple(metadata, body())
    .map(([meta, rest]) => ({ apiVersion: rest['apiVersion'], kind: rest['kind'], metadata: meta, ...rest }))
}

function body(): fc.Arbitrary<Fields> {
  const podSpec = fc.record(
    {
      containers: fc.uniqueArray(
        fc.record(
          {
            name: fc.constantFrom('main', 'side'),
            image,
            env: env(),
            envFrom: fc.constant([{ secretRef: { name: 'creds' } }, { configMapRef: { name: 'gen' } }]),
          },
          { requiredKeys: ['name', 'image'] },
        ),
        { minLength: 1, maxLength: 2, selector: ({ name }) => name },
      ),
      serviceAccountName: fc.constant('runner'),
      volumes: fc.constant([
        { name: 'v', configMap: { name: 'conf' } },
        { name: 'w', secret: { secretName: 'creds' } },
      ]),
    },
    { requiredKeys: ['containers'] },
  )
  const workload = (kind: string) =>
    fc
      .record({ replicas: fc.option(fc.nat(5), { nil: undefined }), pod: podSpec, app: objectName })
      .map(({ replicas, pod, app }) => ({
        apiVersion: 'apps/v1',
        kind,
        spec: { replicas, selector: { matchLabels: { app } }, template: { metadata: { labels: { app } }, spec: pod } },
      }))
  return fc.oneof(
    { weight: 3, arbitrary: workload('Deployment') },
    workload('StatefulSet'),
    podSpec.map((pod) => ({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      spec: { jobTemplate: { spec: { template: { spec: pod } } } },
    })),
    { weight: 2, arbitrary: fc.record({ key: word }).map((data) => ({ apiVersion: 'v1', kind: 'ConfigMap', data })) },
    fc.constant<Fields>({ apiVersion: 'v1', kind: 'Secret', data: { key: 'dmFsdWU=' } }),
    fc.constant<Fields>({ apiVersion: 'v1', kind: 'ServiceAccount' }),
    objectName.map((app) => ({
      apiVersion: 'v1',
      kind: 'Service',
      spec: { selector: { app }, ports: [{ port: 80 }] },
    })),
    fc.tuple(fc.constantFrom('RoleBinding', 'ClusterRoleBinding'), namespace).map(([kind, from]) => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'web' },
      subjects: [{ kind: 'ServiceAccount', name: 'runner', namespace: from }],
    })),
    objectName.map((name) => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      spec: { tls: [{ secretName: 'creds' }], defaultBackend: { service: { name, port: { number: 80 } } } },
    })),
    objectName.map((name) => ({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name } },
    })),
    word.map((text) => ({ apiVersion: 'example.com/v1', kind: 'Widget', spec: { text, list: [{ name: 'a' }] } })),
  )
}
