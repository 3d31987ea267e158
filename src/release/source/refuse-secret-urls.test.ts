import { expect, it } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { refuseSecretUrls } from './refuse-secret-urls.ts'

const password = 'open sesame?'
const data = Buffer.from(password).toString('base64')
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'db' }, data: { password: data, short: 'YQ==' } }
const plain = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'db' }, data: { host: 'health.example' } }

it.each([
  ['as it is stored', data],
  ['decoded', password],
  ['decoded and escaped', encodeURIComponent(password)],
  ['in base64 for addresses', Buffer.from(password).toString('base64url')],
  ['in hexadecimal digits', Buffer.from(password).toString('hex')],
])('an address that holds a value of a Secret that was looked up is refused without being shown: %s', (_how, text) => {
  for (const found of [secret, { apiVersion: 'v1', kind: 'List', items: [plain, secret] }]) {
    const refuse = () => refuseSecretUrls([checked(`https://health.example/${text}`)], [found])
    expect(refuse).toThrow(expect.objectContaining({ code: 'health.url-refused' }))
    expect(refuse).not.toThrow(text)
  }
})

it('what was looked up elsewhere may stand in an address', () => {
  expect(() => refuseSecretUrls([checked('https://health.example/a')], [plain, secret, {}, null])).not.toThrow()
  expect(() => refuseSecretUrls([{ ...plain, metadata: { name: password } }], [secret])).not.toThrow()
})

function checked(url: string): KubeObject {
  const annotations = { 'lading.dev/health-check': 'true', 'lading.dev/health-check-url': url }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', annotations } }
}
