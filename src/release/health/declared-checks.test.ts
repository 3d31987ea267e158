import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import { status } from './status.ts'
import { config } from '../testdata/release-objects.ts'
import { type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'

const ctx = context()

describe('the status of a release that declares checks', () => {
  const releases = sandboxReleases()
  let server: Server
  let address: string
  let answer: number
  let asked: number
  let shop: SandboxRelease

  beforeAll(async () => {
    server = createServer((_request, response) => {
      asked += 1
      response.writeHead(answer).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ready`
  })

  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  beforeEach(async () => {
    answer = 500
    asked = 0
    shop = await releases.make({ driver: 'memory' })
    await shop.install([checked('a'), checked('b'), config('c', '1')])
  })

  it('says that they were not run, and how many there are', async () => {
    const { health, checks } = await status(shop.engine, shop.release, {}, ctx)
    expect({ state: health.state, checks, asked }).toEqual({
      state: 'healthy',
      checks: { declared: 2, run: false },
      asked: 0,
    })
  })

  it('is degraded when they are run and fail', async () => {
    const { health, checks } = await status(shop.engine, shop.release, { checks: true, healthUrls: allowed() }, ctx)
    expect(health.state).toBe('degraded')
    expect(health.objects).toMatchObject([
      { ref: { name: 'a' }, state: 'degraded', message: expect.stringContaining('answered 500') },
      { ref: { name: 'b' }, state: 'degraded', check: { passed: false } },
      { ref: { name: 'c' }, state: 'healthy' },
    ])
    expect(checks).toEqual({ declared: 2, run: true, passed: 0, failed: 2 })
  })

  it('asks nobody whose host was not allowed, and says how to allow it', async () => {
    const { health } = await status(shop.engine, shop.release, { checks: true }, ctx)
    expect(health.objects[0]).toMatchObject({
      state: 'degraded',
      message: expect.stringContaining('--allow-health-url'),
    })
    await expect(shop.upgrade([checked('a')], { wait: true })).rejects.toMatchObject({ code: 'health.url-refused' })
    expect(await shop.statuses()).toEqual(['deployed'])
    await expect(
      shop.upgrade([checked('a')], { wait: true, healthUrls: { hosts: allowed().hosts } }),
    ).rejects.toMatchObject({ code: 'release.failed', details: { code: 'health.url-refused' } })
    expect(asked).toBe(0)
  })

  it('is healthy when they are run and pass', async () => {
    answer = 204
    const { health, checks } = await status(shop.engine, shop.release, { checks: true, healthUrls: allowed() }, ctx)
    expect(health).toMatchObject({ state: 'healthy', objects: [{ check: { passed: true } }, {}, {}] })
    expect(checks).toEqual({ declared: 2, run: true, passed: 2, failed: 0 })
  })

  it('asks what the release declared, not what somebody wrote on a live object', async () => {
    await shop.patch('c', { metadata: { annotations: checked('c').metadata.annotations } })
    const { checks } = await status(shop.engine, shop.release, { checks: true, healthUrls: allowed() }, ctx)
    expect({ checks, asked }).toMatchObject({ checks: { declared: 2 }, asked: 2 })
  })

  function allowed() {
    return { hosts: [new URL(address).host], local: true }
  }

  function checked(name: string): KubeObject {
    return config(name, '1', { 'lading.dev/health-check': 'true', 'lading.dev/health-check-url': address })
  }
})
