import { expect, it } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { dropAutoscaledReplicas } from './autoscaled-replicas.ts'

it('leaves out the replicas of the workload that the autoscaler targets', () => {
  const { objects, dropped } = dropAutoscaledReplicas([deployment('web'), autoscaler('web')])
  expect(objects[0]?.['spec']).toEqual({ paused: false })
  expect(dropped).toEqual([{ group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'shop', name: 'web' }])
})

it('keeps the replicas of every other workload', () => {
  const set = [deployment('api'), deployment('web', 'other'), autoscaler('web')]
  const { objects, dropped } = dropAutoscaledReplicas(set)
  expect(objects).toEqual(set)
  expect(dropped).toEqual([])
})

it('does not mistake a kind of another group for the target', () => {
  const set = [{ ...deployment('web'), apiVersion: 'example.com/v1' }, autoscaler('web')]
  expect(dropAutoscaledReplicas(set).dropped).toEqual([])
})

it('leaves the object it was given as it is', () => {
  const web = deployment('web')
  dropAutoscaledReplicas([web, autoscaler('web')])
  expect(web['spec']).toEqual({ replicas: 3, paused: false })
})

function deployment(name: string, namespace = 'shop'): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: { replicas: 3, paused: false },
  }
}

function autoscaler(target: string): KubeObject {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'scaler', namespace: 'shop' },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: target }, maxReplicas: 5 },
  }
}
