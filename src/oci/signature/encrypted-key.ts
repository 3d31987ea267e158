import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { pem as writePem } from '../../core/der/index.ts'
import { isRecord, LadingError } from '../../core/index.ts'

/** The costs of scrypt that cosign writes, and those of its older versions; a file cannot ask for more work. */
const costs = [
  { N: 65_536, r: 8, p: 1 },
  { N: 32_768, r: 8, p: 1 },
] as const

const derive = promisify<string, Uint8Array, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
)
const keyBytes = 32
const pemPattern = /^-----BEGIN (ENCRYPTED (?:SIGSTORE|COSIGN) PRIVATE KEY)-----\n([A-Za-z0-9+/=\n]+)-----END \1-----$/

/** Whether a PEM file is a private key as cosign writes it. */
export function isEncryptedKey(pem: string): boolean {
  return /-----BEGIN ENCRYPTED (?:SIGSTORE|COSIGN) PRIVATE KEY-----/.test(pem)
}

/** Encrypts a key as cosign does: scrypt for the password, NaCl's secretbox for the key, JSON in PEM around them. */
export async function encryptKey(
  der: Uint8Array,
  password: string,
  random: (length: number) => Uint8Array,
): Promise<string> {
  const { xsalsa20poly1305 } = await import('@noble/ciphers/salsa.js')
  const [cost] = costs
  const salt = random(32)
  const nonce = random(24)
  const ciphertext = xsalsa20poly1305(await passwordKey(password, salt, cost), nonce).encrypt(der)
  const file = {
    kdf: { name: 'scrypt', params: cost, salt: base64(salt) },
    cipher: { name: 'nacl/secretbox', nonce: base64(nonce) },
    ciphertext: base64(ciphertext),
  }
  return writePem('ENCRYPTED SIGSTORE PRIVATE KEY', Buffer.from(JSON.stringify(file)))
}

/** Decrypts a key of cosign: PKCS #8 in DER. */
export async function decryptKey(pem: string, password: string): Promise<Uint8Array> {
  const { cost, salt, nonce, ciphertext } = readFile(pem)
  const { xsalsa20poly1305 } = await import('@noble/ciphers/salsa.js')
  try {
    return xsalsa20poly1305(await passwordKey(password, salt, cost), nonce).decrypt(ciphertext)
  } catch {
    throw new LadingError('key.invalid', 'the private key cannot be decrypted: the password is wrong')
  }
}

interface EncryptedKey {
  readonly cost: (typeof costs)[number]
  readonly salt: Uint8Array
  readonly nonce: Uint8Array
  readonly ciphertext: Uint8Array
}

function readFile(pem: string): EncryptedKey {
  const invalid = new LadingError('key.invalid', 'the private key is not as cosign writes it')
  const [, , body = ''] = pemPattern.exec(pem.replaceAll('\r\n', '\n').trim()) ?? []
  let file: unknown
  try {
    file = JSON.parse(Buffer.from(body, 'base64').toString())
  } catch {
    throw invalid
  }
  if (!isRecord(file) || !isRecord(file['kdf']) || !isRecord(file['cipher'])) throw invalid
  const { kdf, cipher } = file
  const params = isRecord(kdf['params']) ? kdf['params'] : {}
  const cost = costs.find(({ N, r, p }) => params['N'] === N && params['r'] === r && params['p'] === p)
  if (kdf['name'] !== 'scrypt' || cipher['name'] !== 'nacl/secretbox' || cost === undefined) throw invalid
  const salt = bytesOf(kdf['salt'])
  const nonce = bytesOf(cipher['nonce'])
  const ciphertext = bytesOf(file['ciphertext'])
  if (salt.byteLength === 0 || nonce.byteLength !== 24 || ciphertext.byteLength < 16) throw invalid
  return { cost, salt, nonce, ciphertext }
}

function passwordKey(password: string, salt: Uint8Array, cost: (typeof costs)[number]): Promise<Uint8Array> {
  return derive(password, salt, keyBytes, { ...cost, maxmem: 256 * cost.N * cost.r })
}

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(typeof value === 'string' ? value : '', 'base64')
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
