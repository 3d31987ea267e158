import { expect, it } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { imagesOf } from './images-of.ts'

const pod = (...images: string[]) => ({ spec: { containers: images.map((image) => ({ name: 'main', image })) } })
const object = (apiVersion: string, kind: string, rest: object): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x' },
  ...rest,
})

it('images are found in every kind with a pod template, each once and sorted', () => {
  expect(
    imagesOf([
      object('v1', 'Pod', pod('pod:1')),
      object('v1', 'PodTemplate', { template: pod('template:1') }),
      object('v1', 'ReplicationController', { spec: { template: pod('controller:1') } }),
      object('apps/v1', 'Deployment', { spec: { template: pod('web:2', 'web:1') } }),
      object('apps/v1', 'ReplicaSet', { spec: { template: pod('web:1') } }),
      object('apps/v1', 'StatefulSet', { spec: { template: pod('db:1') } }),
      object('apps/v1', 'DaemonSet', { spec: { template: pod('agent:1') } }),
      object('batch/v1', 'Job', { spec: { template: pod('migrate:1') } }),
      object('batch/v1', 'CronJob', { spec: { jobTemplate: { spec: { template: pod('backup:1') } } } }),
    ]),
  ).toEqual(['agent:1', 'backup:1', 'controller:1', 'db:1', 'migrate:1', 'pod:1', 'template:1', 'web:1', 'web:2'])
})

it('images of init and ephemeral containers count, those of custom resources and of containers without one do not', () => {
  const spec = {
    initContainers: [{ name: 'a', image: 'init:1' }],
    containers: [{ name: 'b' }, { name: 'c', image: 'main:1' }],
    ephemeralContainers: [{ name: 'd', image: 'debug:1' }],
  }
  expect(
    imagesOf([
      object('v1', 'Pod', { spec }),
      object('example.com/v1', 'Deployment', { spec: { template: { spec } } }),
      object('v1', 'ConfigMap', { data: { image: 'no:1' } }),
      object('v1', 'Pod', {}),
    ]),
  ).toEqual(['debug:1', 'init:1', 'main:1'])
})
