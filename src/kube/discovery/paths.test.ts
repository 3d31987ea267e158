import { expect, it } from 'vitest'
import type { ApiResource } from '../cluster.ts'
import { collectionPath, objectPath } from './paths.ts'

const secrets = { group: '', version: 'v1', kind: 'Secret', resource: 'secrets', namespaced: true } as ApiResource
const ref = { group: '', version: 'v1', kind: 'Secret', namespace: 'shop', name: 'key' }

it('names an object, one of its subresources, and a collection', () => {
  expect(objectPath(secrets, ref)).toBe('/api/v1/namespaces/shop/secrets/key')
  expect(objectPath(secrets, { ...ref, name: 'system:x y' }, 'status')).toBe(
    '/api/v1/namespaces/shop/secrets/system%3Ax%20y/status',
  )
  expect(collectionPath(secrets)).toBe('/api/v1/secrets')
})

// An empty name would be the whole collection, and two dots what stands above it.
it.each(['', '.', '..', '../../namespaces/shop', 'a/b', '%2e%2e'])('takes %j for no name', (name) => {
  expect(() => objectPath(secrets, { ...ref, name })).toThrow(expect.objectContaining({ code: 'object.invalid' }))
  expect(() => collectionPath(secrets, name)).toThrow(expect.objectContaining({ code: 'object.invalid' }))
})
