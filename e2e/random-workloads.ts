import fc from '../testing/fast-check.ts'
import { type Config, named, some, withSpec } from './random-values.ts'

const selector = fc.constant({ matchLabels: { app: 'x' } })

/** Deployments that roll nothing out. */
export function deployments(): fc.Arbitrary<Config> {
  const spec = {
    paused: fc.constant(true),
    replicas: fc.constantFrom(0, 1, 2),
    minReadySeconds: fc.constantFrom(1, 2),
    strategy: fc.constantFrom({ type: 'Recreate' }, { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } }),
    selector,
    template: template(),
  }
  return withSpec(some(spec, ['paused', 'replicas', 'selector', 'template']))
}

/** StatefulSets without Pods. */
export function statefulSets(): fc.Arbitrary<Config> {
  const claim = { metadata: { name: 'c' }, spec: { accessModes: ['ReadWriteOnce'] } }
  const spec = {
    replicas: fc.constant(0),
    serviceName: fc.constantFrom('s', 's', 't'),
    podManagementPolicy: fc.constantFrom('OrderedReady', 'OrderedReady', 'Parallel'),
    updateStrategy: fc.constantFrom({ type: 'OnDelete' }, { type: 'RollingUpdate', rollingUpdate: { partition: 1 } }),
    volumeClaimTemplates: fc.constantFrom([], [claim]),
    minReadySeconds: fc.constantFrom(0, 1),
    selector,
    template: template(),
  }
  return withSpec(some(spec, ['replicas', 'selector', 'template']))
}

/** Jobs that do not start. */
export function jobs(): fc.Arbitrary<Config> {
  const spec = {
    suspend: fc.constant(true),
    parallelism: fc.constantFrom(0, 1, 2),
    completions: fc.constantFrom(1, 2),
    backoffLimit: fc.constantFrom(0, 3),
    ttlSecondsAfterFinished: fc.constantFrom(0, 10),
    completionMode: fc.constantFrom('NonIndexed', 'Indexed'),
    template: podsOfJob(),
  }
  return withSpec(some(spec, ['suspend', 'template']))
}

function podsOfJob(): fc.Arbitrary<Config> {
  return fc.record({
    spec: fc.record({ restartPolicy: fc.constantFrom('Never', 'OnFailure'), containers: containers() }),
  })
}

/** CronJobs that are never due. */
export function cronJobs(): fc.Arbitrary<Config> {
  const spec = {
    suspend: fc.constant(true),
    schedule: fc.constantFrom('0 0 1 1 *', '@yearly', 'never'),
    timeZone: fc.constantFrom('Etc/UTC', 'Europe/Berlin'),
    concurrencyPolicy: fc.constantFrom('Allow', 'Forbid'),
    successfulJobsHistoryLimit: fc.constantFrom(0, 1),
    jobTemplate: fc.record({
      spec: some({ backoffLimit: fc.constantFrom(0, 1), template: podsOfJob() }, ['template']),
    }),
  }
  return withSpec(some(spec, ['suspend', 'schedule', 'jobTemplate']))
}

/** Pods that nobody schedules. */
export function pods(): fc.Arbitrary<Config> {
  const spec = {
    schedulerName: fc.constant('nobody'),
    automountServiceAccountToken: fc.constant(false),
    containers: containers(),
    initContainers: fc.constantFrom([], [{ name: 'init', image: 'x:1' }]),
    tolerations: fc.constantFrom([], [{ key: 'a', operator: 'Exists' }]),
    activeDeadlineSeconds: fc.constantFrom(10, 20),
    terminationGracePeriodSeconds: fc.constantFrom(30, 30, 10),
  }
  return withSpec(some(spec, ['schedulerName', 'automountServiceAccountToken', 'containers']))
}

function template(): fc.Arbitrary<Config> {
  return fc.record({
    metadata: fc.constant({ labels: { app: 'x' } }),
    spec: some(
      {
        containers: containers(),
        nodeSelector: fc.dictionary(fc.constantFrom('k1', 'k2'), fc.constantFrom('a', 'b'), { maxKeys: 2 }),
        tolerations: fc.array(fc.constant({ key: 'a', operator: 'Exists' }), { maxLength: 1 }),
        volumes: fc.array(fc.constantFrom({ name: 'v', emptyDir: {} }), { maxLength: 1 }),
      },
      ['containers'],
    ),
  })
}

function containers(): fc.Arbitrary<Config[]> {
  const port = some(
    {
      containerPort: fc.constantFrom(80, 443),
      protocol: fc.constantFrom('TCP', 'UDP'),
      name: fc.constantFrom('p', 'q'),
    },
    ['containerPort'],
  )
  const env = named(fc.record({ name: fc.constantFrom('A', 'B'), value: fc.constantFrom('1', '2') }))
  const amounts = fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '500m', '1Gi'), { maxKeys: 2 })
  const container = some(
    {
      name: fc.constantFrom('web', 'side'),
      image: fc.constantFrom('x:1', 'y:2'),
      args: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
      env,
      ports: fc.uniqueArray(port, {
        selector: ({ containerPort, protocol = 'TCP' }) => `${String(containerPort)}/${String(protocol)}`,
        maxLength: 2,
      }),
      resources: some({ limits: amounts, requests: amounts }),
      readinessProbe: some({ periodSeconds: fc.constantFrom(5, 10), tcpSocket: fc.constant({ port: 80 }) }, [
        'tcpSocket',
      ]),
    },
    ['name', 'image'],
  )
  return fc.uniqueArray(container, { selector: ({ name }) => name, minLength: 1, maxLength: 2 })
}
