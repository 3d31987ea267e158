import fc from '../../../testing/fast-check.ts'
import { expect, it } from 'vitest'
import { formatRef, objectId, parseApiVersion, parseObjectId, refOf, sameObject } from './object.ts'

const web = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' } }

it('an object is named for people by kind, group, namespace and name', () => {
  expect(formatRef(refOf(web))).toBe('Deployment.apps shop/web')
  expect(formatRef(refOf({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }))).toBe('Namespace shop')
})

it('an id is namespace_name_group_kind as in Flux inventories', () => {
  expect(objectId(refOf(web))).toBe('shop_web_apps_Deployment')
  expect(objectId({ group: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:basic' })).toBe(
    '_system__basic_rbac.authorization.k8s.io_ClusterRole',
  )
})

it('an id names the same object after parsing', () => {
  const word = fc.stringMatching(/^[a-z]([a-z0-9.-]{0,8}[a-z0-9])?$/)
  const name = fc.stringMatching(/^[a-z]([a-z0-9:.-]{0,8}[a-z0-9])?$/)
  fc.assert(
    fc.property(fc.option(word, { nil: undefined }), name, fc.option(word, { nil: '' }), (namespace, name, group) => {
      const ref = { group, kind: 'Thing', name, ...(namespace === undefined ? {} : { namespace }) }
      expect(sameObject(parseObjectId(objectId(ref)) ?? { group: '', kind: '', name: '' }, ref)).toBe(true)
    }),
  )
})

it.each(['', 'a', 'a_b', 'a_b_c'])('%j is no id', (text) => {
  expect(parseObjectId(text)).toBeUndefined()
})

it('an empty namespace is none', () => {
  expect(refOf({ ...web, metadata: { name: 'web', namespace: '' } })).not.toHaveProperty('namespace')
})

it('apiVersion without a slash is the core group', () => {
  expect(parseApiVersion('v1')).toEqual({ group: '', version: 'v1' })
  expect(parseApiVersion('a.b/v2')).toEqual({ group: 'a.b', version: 'v2' })
})
