import type { PrivateKey, PublicKey } from 'openpgp'
import { LadingError } from '../../../core/index.ts'

/** Reads the public keys of a keyring, armored or binary as `gpg --export` writes it. */
export async function readKeyring(bytes: Uint8Array): Promise<PublicKey[]> {
  const { readKeys } = await import('openpgp')
  const keys = await reading(async () =>
    isArmored(bytes) ? readKeys({ armoredKeys: textOf(bytes) }) : readKeys({ binaryKeys: bytes }),
  )
  return keys.map((key) => key.toPublic())
}

/** Reads the private keys of a keyring. */
export async function readPrivateKeyring(bytes: Uint8Array): Promise<PrivateKey[]> {
  const { readPrivateKeys } = await import('openpgp')
  return reading(async () =>
    isArmored(bytes) ? readPrivateKeys({ armoredKeys: textOf(bytes) }) : readPrivateKeys({ binaryKeys: bytes }),
  )
}

async function reading<Key>(read: () => Promise<Key[]>): Promise<Key[]> {
  try {
    return await read()
  } catch (error) {
    throw new LadingError('key.invalid', 'the keyring cannot be read: it is no OpenPGP keyring', {}, { cause: error })
  }
}

function isArmored(bytes: Uint8Array): boolean {
  return textOf(bytes.subarray(0, 64)).trimStart().startsWith('-----BEGIN PGP')
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}
