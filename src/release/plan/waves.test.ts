import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { isWaitedFor, wavesOf } from './waves.ts'

describe('waves', () => {
  it('go by sync-wave, lowest first, and objects without one are in wave 0', () => {
    const waves = wavesOf(
      [object('front', { 'sync-wave': '1' }), object('db', { 'sync-wave': '-1' }), object('back')],
      'shop',
    )
    expect(waves.map(({ order, objects }) => [order, objects.map((each) => each.metadata.name)])).toEqual([
      [-1, ['db']],
      [0, ['back']],
      [1, ['front']],
    ])
  })

  it('are split into steps where one object waits for another of the same wave', () => {
    const waves = wavesOf(
      [
        object('app', { 'wait-for': 'Deployment/cache, Deployment/db' }),
        object('cache', { 'wait-for': 'Deployment/db' }),
        object('db'),
      ],
      'shop',
    )
    expect(waves.map(({ step, objects }) => [step, objects.map((each) => each.metadata.name)])).toEqual([
      [0, ['db']],
      [1, ['cache']],
      [2, ['app']],
    ])
  })

  it('name what the release does not bring as something outside', () => {
    const [wave] = wavesOf([object('app', { 'wait-for': 'Secret/credentials,Deployment/infra/broker' })], 'shop')
    expect(wave?.external).toEqual([
      { kind: 'Secret', name: 'credentials', namespace: 'shop' },
      { kind: 'Deployment', name: 'broker', namespace: 'infra' },
    ])
  })

  it('name the cycle of objects that wait for each other', () => {
    const cyclic = [
      object('a', { 'wait-for': 'Deployment/b' }),
      object('b', { 'wait-for': 'Deployment/c' }),
      object('c', { 'wait-for': 'Deployment/a' }),
    ]
    expect(() => wavesOf(cyclic, 'shop')).toThrow(
      'these objects wait for each other: Deployment.apps shop/a → Deployment.apps shop/b → Deployment.apps shop/c → Deployment.apps shop/a',
    )
  })

  it('refuse an object that waits for one of a later wave', () => {
    expect(() =>
      wavesOf([object('a', { 'wait-for': 'Deployment/b' }), object('b', { 'sync-wave': '3' })], 'shop'),
    ).toThrow('Deployment.apps shop/a of wave 0 waits for Deployment.apps shop/b of wave 3, which comes later')
  })

  it.each<Record<string, string>>([{ 'sync-wave': 'first' }, { 'wait-for': 'db' }, { 'wait-for': 'a/b/c/d' }])(
    'refuse the annotation %j by name',
    (annotations) => {
      expect(() => wavesOf([object('a', annotations)], 'shop')).toThrow(`sherpack.io/${Object.keys(annotations)[0]}`)
    },
  )

  it.each([5, true, ['a'], {}])('refuse %j for an annotation: it is not quoted', (value) => {
    for (const name of ['sync-wave', 'wait-for']) {
      expect(() => wavesOf([object('a', { [name]: value as never })], 'shop')).toThrow(
        `Deployment.apps shop/a: annotation sherpack.io/${name} must be a string: quote it`,
      )
    }
  })

  it('skip waiting for an object that says so', () => {
    expect(isWaitedFor(object('a', { 'skip-wait': 'true' }))).toBe(false)
    expect(isWaitedFor(object('a'))).toBe(true)
  })
})

function object(name: string, annotations: Record<string, string> = {}): KubeObject {
  const prefixed = Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`sherpack.io/${key}`, value]))
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'shop', annotations: prefixed } }
}
