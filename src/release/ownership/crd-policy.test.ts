import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { crdPolicyOf, richerLive, servesAll, sharedByDefault } from './crd-policy.ts'
import { config, shopCrd } from '../testdata/release-objects.ts'

describe('the policy of a CRD', () => {
  it.each([
    [undefined, 'managed'],
    [{ 'sherpack.io/crd-policy': 'shared' }, 'shared'],
    [{ 'lading.dev/crd-policy': 'external', 'sherpack.io/crd-policy': 'shared' }, 'external'],
  ] as const)('%j: %s', (annotations, policy) => {
    expect(crdPolicyOf(shopCrd('a.example', ['v1'], annotations === undefined ? undefined : { ...annotations }))).toBe(
      policy,
    )
  })

  it('is for CRDs alone, and has to be one of the three', () => {
    expect(crdPolicyOf(config('a', '1', { 'lading.dev/crd-policy': 'external' }))).toBe('managed')
    expect(() => crdPolicyOf(shopCrd('a.example', ['v1'], { 'lading.dev/crd-policy': 'mine' }))).toThrow(
      'annotation lading.dev/crd-policy: mine is no policy; the policies are managed, shared, external',
    )
  })

  it('is shared for what a source keeps apart, unless it says otherwise; Helm keeps it too', () => {
    const own = shopCrd('b.example', ['v1'], { 'sherpack.io/crd-policy': 'managed' })
    const [apart, told] = sharedByDefault([shopCrd('a.example', ['v1']), own])
    expect(apart?.metadata.annotations).toEqual({
      'lading.dev/crd-policy': 'shared',
      'helm.sh/resource-policy': 'keep',
    })
    expect(told).toEqual(own)
  })

  it('leaves a shared CRD alone where versions would be lost', () => {
    const ours = shopCrd('a.example', ['v1'])
    expect(richerLive(ours, undefined)).toBeUndefined()
    expect(richerLive(ours, shopCrd('a.example', ['v1']))).toBeUndefined()
    expect(richerLive(shopCrd('a.example', ['v1', 'v2']), ours)).toBeUndefined()
    expect(richerLive(ours, shopCrd('a.example', ['v1', 'v2']))).toContain('has v2')
  })

  it('a live CRD serves what another brings, whatever the server filled in or the other leaves empty', () => {
    const ours = shopCrd('a.example', ['v1'])
    const change = (spec: object): KubeObject => ({ ...ours, spec: { ...(ours['spec'] as object), ...spec } })
    expect(servesAll(ours, change({ conversion: { strategy: 'None' } }))).toBe(true)
    expect(servesAll(change({ preserveUnknownFields: false }), ours)).toBe(true)
    expect(servesAll(ours, shopCrd('a.example', ['v1', 'v2']))).toBe(false)
    expect(servesAll(shopCrd('a.example', ['v2']), shopCrd('a.example', ['v1', 'v2']))).toBe(true)
    expect(servesAll(shopCrd('a.example', ['v1', 'v2']), ours)).toBe(false)
    expect(servesAll(change({ scope: 'Cluster' }), ours)).toBe(false)
    expect(servesAll(change({ conversion: {} }), ours)).toBe(false)
  })
})
