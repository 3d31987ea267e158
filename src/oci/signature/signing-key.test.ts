import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { generateKeyPair, loadPublicKey, loadSigningKey } from './signing-key.ts'

const content = Buffer.from('content')

describe('a key pair', () => {
  it('signs with the password and verifies without', async () => {
    const { privateKey, publicKey } = await generateKeyPair('correct horse')
    expect(privateKey).toMatch(/^-----BEGIN ENCRYPTED SIGSTORE PRIVATE KEY-----\n/)
    // Each time a password is tried costs half a second; older versions wrote another word.
    const key = await loadSigningKey(
      privateKey.replaceAll('SIGSTORE', 'COSIGN').replaceAll('\n', '\r\n'),
      'correct horse',
    )
    const signature = key.sign(content)
    expect(loadPublicKey(publicKey).verify(content, signature)).toBe(true)
    expect(loadPublicKey(publicKey).verify(Buffer.from('other'), signature)).toBe(false)
    expect(loadPublicKey(publicKey).fingerprint).toBe(key.publicKey.fingerprint)
    await expect(loadSigningKey(privateKey, 'wrong')).rejects.toMatchObject({
      code: 'key.invalid',
      message: expect.stringContaining('the password is wrong'),
    })
  })

  it.for(['pkcs8', 'sec1'] as const)('is read as plain %s too', async (type) => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = await loadSigningKey(pair.privateKey.export({ type, format: 'pem' }).toString())
    const publicKey = loadPublicKey(pair.publicKey.export({ type: 'spki', format: 'pem' }).toString())
    expect(publicKey.verify(content, key.sign(content))).toBe(true)
  })

  it('is refused in other forms, without repeating it', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const pem = (type: string, body: string): string => `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`
    const json = (change: object): string =>
      pem('ENCRYPTED COSIGN PRIVATE KEY', Buffer.from(JSON.stringify({ ...encrypted, ...change })).toString('base64'))
    const bad = [
      rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      p384.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      pem('PRIVATE KEY', 'c2VjcmV0c2VjcmV0'),
      pem('ENCRYPTED COSIGN PRIVATE KEY', 'c2VjcmV0c2VjcmV0'),
      json({ kdf: { ...encrypted.kdf, name: 'none' } }),
      // A file that would keep the reader busy for minutes.
      json({ kdf: { ...encrypted.kdf, params: { N: 2 ** 24, r: 8, p: 16 } } }),
      json({ cipher: { name: 'nacl/secretbox', nonce: 'AAAA' } }),
      json({ ciphertext: 1 }),
      'c2VjcmV0c2VjcmV0',
      '',
    ]
    for (const text of bad) {
      const error = (await loadSigningKey(text, 'secretsecret').catch((error: unknown) => error)) as Error
      expect(error).toMatchObject({ code: 'key.invalid' })
      expect(`${JSON.stringify(error)}${error.message}${String(error.cause)}`).not.toMatch(/secretsecret|c2VjcmV0/)
    }
    const publicKeys = [
      rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      p384.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      pem('PUBLIC KEY', 'AAAA'),
      'AAAA',
    ]
    for (const text of publicKeys) {
      expect(() => loadPublicKey(text)).toThrow(expect.objectContaining({ code: 'key.invalid' }))
    }
  })
})

const encrypted = {
  kdf: { name: 'scrypt', params: { N: 65_536, r: 8, p: 1 }, salt: 'AAAA' },
  cipher: { name: 'nacl/secretbox', nonce: 'A'.repeat(32) },
  ciphertext: 'A'.repeat(64),
}
