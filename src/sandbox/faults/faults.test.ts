import { describe, expect, test } from 'vitest'
import { parseRequestInfo, type RequestInfo } from '../api/request-info.ts'
import type { FaultSpec } from './fault.ts'
import { Faults } from './faults.ts'

describe('which requests a fault strikes', () => {
  test.each<[FaultSpec, string, string, boolean]>([
    [{ fault: 'reset' }, 'GET', '/version', true],
    [{ fault: 'reset', verb: 'list' }, 'GET', '/api/v1/pods', true],
    [{ fault: 'reset', verb: 'list' }, 'GET', '/api/v1/pods?watch=1', false],
    [{ fault: 'reset', verb: 'write' }, 'PATCH', '/api/v1/namespaces/a/pods/b', true],
    [{ fault: 'reset', verb: 'write' }, 'GET', '/api/v1/namespaces/a/pods/b', false],
    [{ fault: 'reset', verb: ['create', 'delete'] }, 'DELETE', '/api/v1/namespaces/a/pods/b', true],
    [{ fault: 'reset', resource: 'deployments' }, 'GET', '/apis/apps/v1/deployments', true],
    [{ fault: 'reset', resource: 'deployments.apps' }, 'GET', '/apis/apps/v1/deployments', true],
    [{ fault: 'reset', resource: 'deployments.other' }, 'GET', '/apis/apps/v1/deployments', false],
    [{ fault: 'reset', resource: 'pods' }, 'GET', '/api/v1/namespaces/a/pods/b/log', false],
    [{ fault: 'reset', resource: 'pods/log' }, 'GET', '/api/v1/namespaces/a/pods/b/log', true],
    [{ fault: 'reset', resource: 'pods' }, 'GET', '/version', false],
    [{ fault: 'reset', namespace: 'a', name: 'b' }, 'GET', '/api/v1/namespaces/a/pods/b', true],
    [{ fault: 'reset', namespace: 'a', name: 'c' }, 'GET', '/api/v1/namespaces/a/pods/b', false],
    [{ fault: 'reset', path: '^/openapi' }, 'GET', '/openapi/v3', true],
    [{ fault: 'reset', path: '^/openapi' }, 'GET', '/apis', false],
  ])('%j and %s %s: %s', (spec, method, target, struck) => {
    const faults = new Faults()
    faults.add(spec)
    expect(faults.strike(wanted(method, target))).toHaveLength(struck ? 1 : 0)
  })

  test('lets some pass first and strikes no more often than told', () => {
    const faults = new Faults()
    faults.add({ fault: 'reset', after: 2, count: 3 })
    const struck = Array.from({ length: 8 }, () => faults.strike(wanted('GET', '/version')).length)
    expect(struck).toEqual([0, 0, 1, 1, 1, 0, 0, 0])
    expect(faults.list()).toMatchObject([{ matched: 8, struck: 3 }])
  })

  test('a share of them follows from the seed', () => {
    const strikes = (seed: number): number[] => {
      const faults = new Faults(seed)
      faults.add({ fault: 'reset', percentage: 30 })
      return Array.from({ length: 1000 }, () => faults.strike(wanted('GET', '/version')).length)
    }
    expect(strikes(1)).toEqual(strikes(1))
    expect(strikes(1)).not.toEqual(strikes(2))
    const share = strikes(1).reduce((sum, one) => sum + one, 0)
    expect(share).toBeGreaterThan(250)
    expect(share).toBeLessThan(350)
  })

  test('is none once it is taken back', () => {
    const faults = new Faults()
    const first = faults.add({ fault: 'reset' })
    faults.add({ fault: 'hang' })
    faults.clear(first)
    expect(faults.list().map(({ fault }) => fault)).toEqual(['hang'])
    faults.clear()
    expect(faults.strike(wanted('GET', '/version'))).toEqual([])
  })
})

test.each([
  [{ fault: 'nonsense' }],
  [{ fault: 'reset', path: '(' }],
  [{ fault: 'reset', percentage: -1 }],
  [{ fault: 'reset', surprise: true }],
])('%j is no fault', (spec) => {
  expect(() => new Faults().add(spec as unknown as FaultSpec)).toThrow(expect.objectContaining({ code: 400 }) as Error)
})

function wanted(method: string, target: string): RequestInfo {
  const url = new URL(target, 'http://sandbox')
  return parseRequestInfo(method, url.pathname, url.searchParams)
}
