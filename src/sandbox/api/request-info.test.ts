import { describe, expect, test } from 'vitest'
import { Catalog } from '../catalog.ts'
import { PageNotFound, StatusError } from '../status-error.ts'
import { Store } from '../store.ts'
import { parseRequestInfo } from './request-info.ts'
import { resourceRequest } from './resource-request.ts'

const catalog = new Catalog(new Store())

describe('a path names', () => {
  test.each([
    ['GET', '/api/v1/namespaces', 'list namespaces - - -'],
    ['GET', '/api/v1/namespaces/shop', 'get namespaces - shop -'],
    ['PUT', '/api/v1/namespaces/shop/finalize', 'update namespaces - shop finalize'],
    ['GET', '/api/v1/configmaps?watch=1', 'watch configmaps - - -'],
    ['DELETE', '/api/v1/namespaces/shop/configmaps', 'deletecollection configmaps shop - -'],
    ['PATCH', '/apis/apps/v1/namespaces/shop/deployments/web/scale', 'patch deployments shop web scale'],
    ['GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Aadmin', 'get clusterroles - system:admin -'],
    ['GET', '/api/v1/namespaces/shop/pods?fieldSelector=metadata.name%3Dweb', 'list pods shop - -'],
  ])('%s %s: %s', (method, target, expected) => {
    const { verb, type, namespace = '-', name = '-', subresource = '-' } = find(method, target)
    expect(`${verb} ${type.resource} ${namespace} ${name} ${subresource}`).toBe(expected)
  })
})

describe('404', () => {
  test.each([
    ['/api/v1/gadgets', StatusError],
    ['/api/v1/configmaps/a', StatusError],
    ['/api/v1/namespaces/shop/namespaces/shop', StatusError],
    ['/api/v1/namespaces/shop/nodes/a', StatusError],
    ['/api/v1/namespaces/shop/pods/a/log/more', StatusError],
    ['/api/v1/namespaces/shop/status/more', StatusError],
    ['/apis/example.com/v1/widgets', PageNotFound],
    ['/nowhere', PageNotFound],
    ['/api/v1/namespaces/%zz/pods', StatusError],
  ])('%s', (target, error) => {
    expect(() => find('GET', target)).toThrow(error)
  })
})

test('authorization sees the name that a field selector asks for', () => {
  const query = new URLSearchParams({ fieldSelector: 'metadata.name=web' })
  expect(parseRequestInfo('GET', '/api/v1/namespaces/shop/pods', query).resource).toMatchObject({ name: 'web' })
})

function find(method: string, target: string): ReturnType<typeof resourceRequest> {
  const url = new URL(target, 'http://sandbox')
  return resourceRequest(parseRequestInfo(method, url.pathname, url.searchParams), catalog)
}
