import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { hooksOf, parseHook, splitHooks } from './parse-hook.ts'

describe('a hook', () => {
  it('is read with its phases, weight, policies and timeout', () => {
    const hook = parseHook(
      job('migrate', {
        'sherpack.io/hook': 'pre-install, pre-upgrade',
        'sherpack.io/hook-weight': '-5',
        'sherpack.io/hook-delete-policy': 'hook-succeeded,hook-failed',
        'sherpack.io/hook-failure-policy': 'retry(3)',
        'sherpack.io/hook-timeout': '90',
      }),
    )
    expect(hook).toMatchObject({
      phases: ['pre-install', 'pre-upgrade'],
      weight: -5,
      deletePolicies: ['hook-succeeded', 'hook-failed'],
      failurePolicy: { type: 'retry', retries: 3 },
      timeoutMs: 90_000,
    })
  })

  it('can be written with Helm’s annotations; our own win', () => {
    expect(parseHook(job('a', { 'helm.sh/hook': 'test-success' }))?.phases).toEqual(['test'])
    const both = job('a', { 'helm.sh/hook': 'test', 'sherpack.io/hook': 'post-delete' })
    expect(parseHook(both)?.phases).toEqual(['post-delete'])
  })

  it('without a delete policy is replaced by the next run, as in Helm', () => {
    expect(parseHook(job('a', { 'helm.sh/hook': 'test' }))?.deletePolicies).toEqual(['before-hook-creation'])
  })

  it.each([
    ['250ms', 250],
    ['5m', 300_000],
    ['1h', 3_600_000],
  ])('has a timeout of %s', (text, expected) => {
    expect(parseHook(job('a', { 'helm.sh/hook': 'test', 'sherpack.io/hook-timeout': text }))?.timeoutMs).toBe(expected)
  })

  it('retries as often as hook-retries says', () => {
    const annotations = {
      'helm.sh/hook': 'test',
      'sherpack.io/hook-failure-policy': 'retry',
      'sherpack.io/hook-retries': '4',
    }
    expect(parseHook(job('a', annotations))?.failurePolicy).toEqual({ type: 'retry', retries: 4 })
  })

  it.each<Record<string, string>>([
    { 'sherpack.io/hook': 'before-install' },
    { 'lading.dev/hook': ' , ' },
    { 'helm.sh/hook': 'test', 'sherpack.io/hook-weight': 'heavy' },
    { 'helm.sh/hook': 'test', 'lading.dev/hook-delete-policy': 'never' },
    { 'helm.sh/hook': 'test', 'sherpack.io/hook-failure-policy': 'shrug' },
    { 'helm.sh/hook': 'test', 'sherpack.io/hook-timeout': 'soon' },
  ])('with the annotations %j is refused, naming object and annotation', (annotations) => {
    expect(() => parseHook(job('a', annotations))).toThrow(Object.keys(annotations).at(-1) ?? '')
    expect(() => parseHook(job('a', annotations))).toThrow('Job.batch shop/a')
  })

  it('is read as Helm reads it where the annotations are Helm’s: what is not understood is passed over', () => {
    const odd = {
      'helm.sh/hook': 'Post-Install',
      'helm.sh/hook-weight': 'heavy',
      'helm.sh/hook-delete-policy': 'never',
    }
    expect(parseHook(job('a', odd))).toMatchObject({ phases: ['post-install'], weight: 0, deletePolicies: [] })
    expect(parseHook(job('a', { 'helm.sh/hook': 'crd-install,pre-install' }))?.phases).toEqual([])
  })

  it('is kept apart from the objects of the release', () => {
    const { objects, hooks } = splitHooks([job('plain'), job('hook', { 'helm.sh/hook': 'test' })])
    expect(objects.map((each) => each.metadata.name)).toEqual(['plain'])
    expect(hooks.map((each) => each.object.metadata.name)).toEqual(['hook'])
  })

  it('runs by weight, then by name', () => {
    const { hooks } = splitHooks([
      job('b', { 'helm.sh/hook': 'pre-install' }),
      job('z', { 'helm.sh/hook': 'pre-install', 'helm.sh/hook-weight': '-1' }),
      job('a', { 'helm.sh/hook': 'pre-install,post-install' }),
      job('other', { 'helm.sh/hook': 'post-delete' }),
    ])
    expect(hooksOf(hooks, 'pre-install').map((each) => each.object.metadata.name)).toEqual(['z', 'a', 'b'])
  })
})

function job(name: string, annotations?: Record<string, string>): KubeObject {
  const metadata = { name, namespace: 'shop', ...(annotations === undefined ? {} : { annotations }) }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata }
}
