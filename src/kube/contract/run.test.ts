import { describe, expect, it } from 'vitest'
import type { TestRunner } from '../../core/contract/index.ts'
import type { Cluster } from '../cluster.ts'
import type { KubeRequest } from '../transport/transport.ts'
import { contractCase, type ContractCase, type ContractTarget } from './harness.ts'
import { allSections, clusterContract } from './run.ts'

describe('the contract suite', () => {
  it('gives each case a namespace of its own and asks for their removal at the end', async () => {
    const seen: string[] = []
    const cases = ['one', 'two'].map((name) => contractCase(name, async (c) => void seen.push(c.namespace)))
    const { results, requests } = await run(cases)
    expect(results).toMatchObject({ one: 'passed', two: 'passed' })
    expect(new Set(seen).size).toBe(2)
    expect(requests.filter((one) => one.startsWith('DELETE'))).toEqual(
      seen.map((name) => `DELETE /api/v1/namespaces/${name}`),
    )
    expect(requests.slice(-2).every((one) => one.startsWith('DELETE'))).toBe(true)
  })

  it('removes what a case registered, last first, also when the case fails', async () => {
    const failing = contractCase('failing', async (c) => {
      for (const name of ['x', 'y']) c.cleanUp({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
      throw new Error('broken')
    })
    const { results, requests } = await run([failing])
    expect(results['failing']).toBe('broken')
    expect(requests.slice(1, 3)).toEqual(['DELETE /api/v1/namespaces/y', 'DELETE /api/v1/namespaces/x'])
  })

  it('ends what a case left running', async () => {
    let signal: AbortSignal | undefined
    await run([contractCase('one', async (c) => void (signal = c.ctx.signal))])
    expect(signal?.aborted).toBe(true)
  })

  it('lets an expected failure pass, and fails once the case works', async () => {
    const cases = [
      contractCase('broken', () => Promise.reject(new Error('broken'))),
      contractCase('mended', () => Promise.resolve()),
    ]
    const { results } = await run(cases, { broken: 'not built yet', mended: 'not built yet' })
    expect(results['broken']).toBe('passed')
    expect(results['mended']).toContain('not built yet')
    expect(results['mended']).toContain('take it off')
  })

  it('fails when a name is used twice or a failure is expected of a case that is gone', async () => {
    const twice = [contractCase('same', async () => undefined), contractCase('same', async () => undefined)]
    expect((await run(twice)).results[meta]).toContain('same')
    expect((await run([], { gone: 'reason' })).results[meta]).toContain('gone')
    expect((await run([])).results[meta]).toBe('passed')
  })

  it('has at least 80 cases, each under a name of its own', () => {
    const names = Object.values(allSections).flatMap((cases) => cases.map((one) => one.name))
    expect(names.length).toBeGreaterThanOrEqual(80)
    expect(new Set(names).size).toBe(names.length)
  })
})

const meta = 'names each case once, and expects failures only of cases that exist'

/** Runs the suite with a runner of its own over a server that says yes to everything. */
async function run(cases: readonly ContractCase[], expectedFailures: Record<string, string> = {}) {
  const requests: string[] = []
  const before: (() => Promise<void>)[] = []
  const tests: [string, () => Promise<void>][] = []
  const after: (() => Promise<void>)[] = []
  const runner: TestRunner = {
    describe: (_name, body) => body(),
    it: (name, body) => void tests.push([name, body]),
    beforeAll: (body) => void before.push(body),
    afterAll: (body) => void after.push(body),
  }
  const admin = agreeable(requests)
  const target: ContractTarget = {
    admin,
    unprivileged: admin,
    kubeconfig: '/nowhere',
    expectedFailures,
    close: async () => undefined,
  }
  clusterContract(runner, 'a server', async () => target, { section: cases })
  const results: Record<string, string> = {}
  for (const body of before) await body()
  for (const [name, body] of tests) {
    results[name] = await body().then(
      () => 'passed',
      (error: unknown) => (error instanceof Error ? error.message : 'failed'),
    )
  }
  for (const body of after) await body()
  return { results, requests }
}

function agreeable(requests: string[]): Cluster {
  const namespaces = {
    group: '',
    version: 'v1',
    kind: 'Namespace',
    resource: 'namespaces',
    namespaced: false,
    verbs: [],
    shortNames: [],
    categories: [],
    subresources: [],
  }
  return {
    transport: {
      server: 'https://server',
      identity: 'admin',
      request: async ({ method, path, body }: KubeRequest) => {
        requests.push(`${method} ${path}`)
        return { status: 200, headers: {}, body, warnings: [] }
      },
      stream: () => Promise.reject(new Error('no streams here')),
      close: async () => undefined,
    },
    discovery: { find: async () => namespaces, all: async () => [namespaces], invalidate: () => undefined },
  }
}
