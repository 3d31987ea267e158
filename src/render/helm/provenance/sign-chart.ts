import { createHash } from 'node:crypto'
import { LadingError, stringifyJson } from '../../../core/index.ts'
import { readPrivateKeyring } from './keyring.ts'

/** Who signs. */
export interface SignChartOptions {
  /** The bytes of a keyring with private keys. */
  readonly keyring: Uint8Array
  /** Part of the key's user id; needed where the keyring has several keys. */
  readonly key?: string
  readonly passphrase?: string
}

/** Writes the .prov file of an archive as `helm package --sign` does. */
export async function signChart(
  archive: Uint8Array,
  fileName: string,
  chartYaml: string,
  { keyring, key: wanted = '', passphrase }: SignChartOptions,
): Promise<string> {
  const keys = (await readPrivateKeyring(keyring)).filter((key) => key.getUserIDs().some((id) => id.includes(wanted)))
  const [key] = keys
  if (key === undefined)
    throw new LadingError('key.invalid', `the keyring has no private key of ${stringifyJson(wanted)}`)
  if (keys.length > 1)
    throw new LadingError(
      'key.invalid',
      `the keyring has ${keys.length} private keys of ${stringifyJson(wanted)}: give more of its name`,
    )
  const { createCleartextMessage, decryptKey, enums, sign } = await import('openpgp')
  const unlocked = key.isDecrypted()
    ? key
    : await decryptKey({ privateKey: key, passphrase: passphrase ?? '' }).catch((error: unknown) => {
        throw new LadingError('key.invalid', 'the passphrase does not open the private key', {}, { cause: error })
      })
  const digest = createHash('sha256').update(archive).digest('hex')
  const text = `${chartYaml}\n...\nfiles:\n  ${fileName}: sha256:${digest}\n`
  const message = await createCleartextMessage({ text })
  return sign({ message, signingKeys: unlocked, config: { preferredHashAlgorithm: enums.hash.sha512 } })
}
