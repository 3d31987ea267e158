import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { context } from '../core/index.ts'
import { connect } from '../kube/index.ts'
import { startSandbox } from './start.ts'

const ctx = context()

describe('a sandbox', () => {
  test('serves over TLS to whoever has its kubeconfig', async () => {
    const sandbox = await startSandbox()
    const cluster = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
    try {
      const { body } = await cluster.transport.request({ method: 'GET', path: '/api/v1/namespaces/default' }, ctx)
      expect(body).toMatchObject({ kind: 'Namespace', status: { phase: 'Active' } })
      await expect(fetch(`${sandbox.url}/version`)).rejects.toThrow('fetch failed')
    } finally {
      await cluster.close()
      await sandbox.stop()
    }
  })

  test('leaves nothing behind, also when it is stopped twice with a watch and a request that hangs', async () => {
    const sandbox = await startSandbox({ tls: false })
    const headers = { authorization: `Bearer ${sandbox.token}` }
    const watch = await fetch(`${sandbox.url}/api/v1/pods?watch=1`, { headers })
    sandbox.faults.add({ fault: 'hang', path: '^/version' })
    const hanging = fetch(`${sandbox.url}/version`, { headers })
    const cut = Promise.allSettled([watch.text(), hanging])
    while (sandbox.faults.list()[0]?.struck === 0) await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([sandbox.stop(), sandbox.stop()])
    expect((await cut).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(existsSync(sandbox.kubeconfig)).toBe(false)
    await expect(fetch(`${sandbox.url}/version`)).rejects.toThrow('fetch failed')
  })

  test('has tokens of its own', async () => {
    const [one, two] = await Promise.all([startSandbox(), startSandbox()])
    expect(one.token).not.toBe(two.token)
    expect(Buffer.from(one.token, 'base64url')).toHaveLength(32)
    expect(readFileSync(one.kubeconfig, 'utf8')).toContain(one.token)
    await Promise.all([one.stop(), two.stop()])
  })
})
