import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGateway, type OpenGateway } from '../testdata/open-gateway.ts'

let open: OpenGateway
beforeAll(async () => {
  open = await openGateway()
})
afterAll(async () => {
  await open[Symbol.asyncDispose]()
})

const path = '/o2ims/v1/deployments'

describe('a request', () => {
  it('without a valid token is refused on every route that is not public', async () => {
    const { paths } = (await open.send('GET', '/openapi.json')).body
    let tried = 0
    for (const [template, methods] of Object.entries(
      paths as Record<string, Record<string, { security?: unknown[] }>>,
    )) {
      for (const [method, { security }] of Object.entries(methods)) {
        if (security?.length === 0) continue
        const target = template.replaceAll(/\{\w+\}/g, 'x')
        const answer = await open.send(method.toUpperCase(), target, { as: 'unknown' })
        expect([template, method, answer.status]).toEqual([template, method, 401])
        expect(answer.headers.get('www-authenticate')).toContain('Bearer')
        tried += 1
      }
    }
    expect(tried).toBeGreaterThan(30)
  })

  it('is decided by the rights of its sender in the cluster, whatever identity its headers claim', async () => {
    const spoofed = { 'impersonate-user': 'admin', 'x-remote-user': 'admin', 'impersonate-group': 'system:masters' }
    const list = await open.send('GET', path, { as: 'nobody', headers: spoofed })
    expect([list.status, list.body.deployments, list.body.total]).toEqual([200, [], 0])
    const extensions = { 'flux.type': 'helmrelease', 'flux.chart': 'nginx', 'flux.sourceRef': 'bitnami' }
    const created = await open.send('POST', path, {
      as: 'nobody',
      headers: spoofed,
      body: { name: 'mine', extensions },
    })
    expect([created.status, created.body.code]).toEqual([403, 'kube.forbidden'])
    expect(created.body.detail).toContain('nobody')
  })

  it('that is wrong gets one clear sentence and never a stack trace', async () => {
    const cases: [string, string, { body?: unknown; headers?: Record<string, string> }, number][] = [
      ['GET', '/nowhere', {}, 404],
      ['PUT', path, { body: {} }, 405],
      ['POST', path, { body: [] }, 400],
      ['POST', path, {}, 400],
      ['POST', path, { body: { name: 5 } }, 400],
      ['POST', path, { body: { name: 'x', surprise: 1 } }, 400],
      ['POST', path, { body: { name: 'x'.repeat(2_000_000) } }, 413],
      ['POST', path, { body: { name: 'Not A Name' } }, 400],
      ['GET', `${path}/%ff`, {}, 400],
      ['GET', `${path}/${'x'.repeat(600)}`, {}, 400],
      ['GET', `${path}?cluster=other`, {}, 404],
      ['GET', `${path}?limit=1&limit=2`, {}, 400],
    ]
    for (const [method, target, options, status] of cases) {
      const answer = await open.send(method, target, options)
      expect([method, target.slice(0, 60), answer.status]).toEqual([method, target.slice(0, 60), status])
      expect(answer.headers.get('content-type')).toContain('application/problem+json')
      expect(answer.body).toMatchObject({ status, next: expect.any(String), instance: expect.stringContaining('urn:') })
      expect(answer.text).not.toContain('.ts:')
    }
    const text = await fetch(new URL(path, open.url), {
      method: 'POST',
      body: 'name=x',
      headers: { authorization: `Bearer x`, 'content-type': 'text/plain' },
    })
    expect([401, 415]).toContain(text.status)
  })
})
