import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { expect, it } from 'vitest'
import { readElements, readInteger } from '../../../../core/der/index.ts'
import { signEcdsa } from './ecdsa-signature.ts'

it('signs as RFC 6979, appendix A.2.5, says', () => {
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: base64url('C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721'),
      x: base64url('60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6'),
      y: base64url('7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299'),
    },
  })
  const [outer] = readElements(signEcdsa(Buffer.from('sample'), key))
  const [r, s] = readElements(outer!.content).map(({ content }) => readInteger(content).toString(16).toUpperCase())
  expect(r).toBe('EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716')
  expect(s).toBe('F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8')
})

it.each([
  ['P-224', 'sha256'],
  ['P-256', 'sha256'],
  ['P-384', 'sha384'],
  ['P-521', 'sha512'],
])('signs with a key on %s the same each time, and it can be verified', (namedCurve, hash) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve })
  const body = Buffer.from('a certificate')
  const signature = signEcdsa(body, privateKey)
  expect(signEcdsa(body, privateKey).equals(signature)).toBe(true)
  expect(verify(hash, body, createPublicKey(privateKey), signature)).toBe(true)
  expect(signEcdsa(Buffer.from('another'), privateKey).equals(signature)).toBe(false)
})

it('refuses a curve that Go has no signatures for', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
  expect(() => signEcdsa(Buffer.from('x'), privateKey)).toThrow('x509: unsupported elliptic curve')
})

function base64url(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64url')
}
