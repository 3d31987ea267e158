import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import { LadingError } from '../../core/index.ts'
import { decryptKey, encryptKey, isEncryptedKey } from './encrypted-key.ts'

/** A key that signs. */
export interface SigningKey {
  readonly publicKey: PublicKey
  /** The signature of content: ECDSA over its sha256, in DER. */
  sign(content: Uint8Array): Uint8Array
}

/** A key that verifies. */
export interface PublicKey {
  /** PEM, as it is given to others. */
  readonly pem: string
  /** Base64 of the sha256 of the key in DER, by which cosign tells keys apart. */
  readonly fingerprint: string
  verify(content: Uint8Array, signature: Uint8Array): boolean
}

/** A new key pair as PEM files. */
export interface KeyPair {
  readonly privateKey: string
  readonly publicKey: string
}

/** Makes a key pair as `cosign generate-key-pair` does: ECDSA on P-256, the private key encrypted with the password. */
export async function generateKeyPair(password: string): Promise<KeyPair> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const der = privateKey.export({ type: 'pkcs8', format: 'der' })
  const encrypted = await encryptKey(der, password, randomBytes)
  return { privateKey: encrypted, publicKey: publicKeyOf(publicKey).pem }
}

/** Reads a private key: one of cosign with its password, or a plain PKCS #8 or SEC 1 key in PEM. */
export async function loadSigningKey(pem: string, password = ''): Promise<SigningKey> {
  const der = isEncryptedKey(pem) ? await decryptKey(pem, password) : undefined
  const privateKey = readKey(() =>
    createPrivateKey(der === undefined ? pem : { key: Buffer.from(der), format: 'der', type: 'pkcs8' }),
  )
  const publicKey = publicKeyOf(createPublicKey(privateKey))
  return { publicKey, sign: (content) => sign('sha256', content, { key: privateKey, dsaEncoding: 'der' }) }
}

/** Reads a public key in PEM. */
export function loadPublicKey(pem: string): PublicKey {
  if (!pem.includes('-----BEGIN PUBLIC KEY-----')) {
    throw new LadingError('key.invalid', 'the public key is no PEM file (BEGIN PUBLIC KEY)')
  }
  return publicKeyOf(readKey(() => createPublicKey(pem)))
}

function publicKeyOf(key: KeyObject): PublicKey {
  // The curve decides the hash; P-256 with sha256 is what cosign makes and every verifier takes.
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new LadingError('key.invalid', 'the key is no ECDSA key on the curve P-256')
  }
  const der = key.export({ type: 'spki', format: 'der' })
  return {
    pem: key.export({ type: 'spki', format: 'pem' }).toString(),
    fingerprint: createHash('sha256').update(der).digest('base64'),
    verify: (content, signature) => verify('sha256', content, { key, dsaEncoding: 'der' }, signature),
  }
}

// The cause is left out: what a parser complains about may be the key itself.
function readKey(read: () => KeyObject): KeyObject {
  try {
    return read()
  } catch {
    throw new LadingError('key.invalid', 'the key cannot be read: it is damaged, or no key in PEM form')
  }
}
