import { describe, expect, it } from 'vitest'
import { context, type KubeObject, type LadingEvent } from '../../core/index.ts'
import { install, upgrade } from '../run/operations.ts'
import { secretMask } from './secret-mask.ts'
import { status } from '../health/status.ts'
import { config, deployment, hook } from '../testdata/release-objects.ts'
import { sandboxReleases } from '../testdata/sandbox-releases.ts'

const ctx = context()
const lines = Array.from({ length: 80 }, (_, at) => `line-${at}-of-the-key-material`)
const pem = lines.join('\n')
const encoded = Buffer.from(pem).toString('base64')

describe('the mask of Secrets', () => {
  const mask = secretMask(() => [secret({ pem, password: 'p@ss/w"rd&1', pin: 'abc' })])

  it('hides each line of a value of many lines, where only a part of it is in the text', () => {
    expect(mask(lines.slice(-3).join('\n'))).toBe('***\n***\n***')
    expect(mask(`> ${lines[7]} <`)).toBe('> *** <')
  })

  it.each([40, 64, 76])('hides base64 that is wrapped after %i columns', (width) => {
    const wrapped = encoded.match(new RegExp(`.{1,${width}}`, 'g')) ?? []
    const masked = mask(wrapped.slice(-12).join('\n')).split('\n').slice(0, -1)
    expect(masked.every((line) => line === '***')).toBe(true)
  })

  it('hides values as they are quoted, put into addresses, or encoded by echo', () => {
    const base64 = Buffer.from('p@ss/w"rd&1\n').toString('base64')
    expect(mask(`"p@ss/w\\"rd&1" p%40ss%2Fw%22rd%261 ${base64} abc`)).toBe('"***" *** *** abc')
  })

  it('hides values of data, also where their base64 is wrapped', () => {
    const wrapped = (encoded.match(/.{1,76}/g) ?? []).join('\n')
    const data: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { pem: wrapped } }
    expect(secretMask(() => [data])(`${lines[3]}\n${encoded.slice(76, 152)}`)).toBe('***\n***')
  })

  it('leaves ordinary words', () => {
    const text = 'connection refused: deployment/web is not ready after 30s 0123456789abcdef0123456789abcdef'
    expect(mask(text)).toBe(text)
  })
})

describe('the values of Secrets', () => {
  const releases = sandboxReleases()
  const password = 'hunter2secret'
  const logs = [...lines, `connecting with ${password}`].join('\n')

  it('are not in the log of a failed hook that is longer than what is read of it', async () => {
    const shop = await releases.make()
    const broken = hook('migrate', 'pre-install', { simulate: { '': 'job-fail', logs } })
    const told = await toldBy(install(shop.engine, shop.content(secret({ pem, password }), broken), {}, ctx))
    expect(told).toContain('connecting with ***')
    expect([told.includes('key-material'), told.includes(password)]).toEqual([false, false])
  })

  it.each([
    ['a wait', { wait: true }],
    ['a stabilization window', { stabilizationMs: 1 }],
  ])('are not in what is told of %s, in the record, or in the status afterwards', async (_, options) => {
    const shop = await releases.make()
    const web = deployment('web', { simulate: { '': 'crash-loop', logs } })
    const objects = [secret({ pem, password }), config('a', '1'), web]
    const told = await toldBy(install(shop.engine, shop.content(...objects), options, ctx))
    expect(told).toContain('connecting with ***')
    const stored = await shop.engine.store.get({ ...shop.release, version: 1 }, ctx)
    const { health } = await status(shop.engine, shop.release, {}, ctx)
    const all = told + JSON.stringify([stored?.record.description, stored?.record.state, health])
    expect([all.includes('key-material'), all.includes(password)]).toEqual([false, false])
  })

  it('are not in what is told of a wait for a release that needs no change', async () => {
    const shop = await releases.make()
    const objects = [secret({ pem, password }), deployment('web', { simulate: { '': 'crash-loop', logs } })]
    await shop.install(objects)
    const told = await toldBy(upgrade(shop.engine, shop.content(...objects), { wait: true }, ctx))
    expect(told).toContain('connecting with ***')
    expect([told.includes('key-material'), told.includes(password)]).toEqual([false, false])
  })
})

function secret(stringData: Record<string, string>): KubeObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' }, stringData }
}

/** Everything that an operation which fails tells. */
async function toldBy(operation: AsyncGenerator<LadingEvent, unknown>): Promise<string> {
  const events: LadingEvent[] = []
  try {
    for await (const event of operation) events.push(event)
  } catch (error) {
    const { message, details, cause } = error as Error & { details: unknown }
    const { message: inner, details: more } = cause as Error & { details: unknown }
    return JSON.stringify([events, message, details, inner, more])
  }
  throw new Error('it did not fail')
}
