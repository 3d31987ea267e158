import { describe, expect, it } from 'vitest'
import { crdPolicyOf, richerLive, sharedByDefault } from './crd-policy.ts'
import { config, shopCrd } from './testdata/release-objects.ts'

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
})
