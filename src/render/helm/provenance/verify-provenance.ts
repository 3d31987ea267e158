import { createHash } from 'node:crypto'
import { isLadingError, isRecord, LadingError } from '../../../core/index.ts'
import { parseYamlValue } from '../../../core/yaml/index.ts'
import { readKeyring } from './keyring.ts'

/** Who signed an archive, and its digest. */
export interface VerifiedProvenance {
  readonly signedBy: string
  readonly fingerprint: string
  readonly digest: string
}

/** Holds an archive to its .prov file: signed by a key of the keyring, and naming this file with this digest. */
export async function verifyProvenance(
  archive: Uint8Array,
  provenance: Uint8Array,
  fileName: string,
  keyring: Uint8Array,
): Promise<VerifiedProvenance> {
  const { text, signedBy, fingerprint } = await verifySignature(provenance, keyring, fileName)
  const expected = digestOf(text, fileName)
  const digest = `sha256:${createHash('sha256').update(archive).digest('hex')}`
  if (expected !== digest) throw unverified(fileName, `its digest is ${digest}, and ${expected} is what was signed`)
  return { signedBy, fingerprint, digest }
}

async function verifySignature(provenance: Uint8Array, keyring: Uint8Array, fileName: string) {
  const verificationKeys = await readKeyring(keyring)
  const { readCleartextMessage, verify } = await import('openpgp')
  const message = await readCleartextMessage({ cleartextMessage: Buffer.from(provenance).toString('utf8') }).catch(
    (error: unknown) => {
      throw unverified(fileName, 'its provenance has no signature block', error)
    },
  )
  const { signatures, data } = await verify({ message, verificationKeys })
  for (const signature of signatures) {
    const key = verificationKeys.find((each) => each.getKeys(signature.keyID).length > 0)
    if (key === undefined || !(await signature.verified.catch(() => false))) continue
    const user = await key.getPrimaryUser().catch(() => undefined)
    return {
      text: data,
      signedBy: user?.user.userID?.userID ?? key.getFingerprint(),
      fingerprint: key.getFingerprint(),
    }
  }
  throw unverified(fileName, 'no key of the keyring made the signature')
}

// The block is Chart.yaml, `...`, and the digests: only what was signed counts, never the text around it.
function digestOf(text: string, fileName: string): string {
  const parts = text.replaceAll('\r\n', '\n').split('\n...\n')
  if (parts.length < 2) throw unverified(fileName, 'its provenance does not list any digests')
  try {
    const sums = parseYamlValue(parts[1] ?? '', { file: `${fileName}.prov` })
    const files = isRecord(sums) ? sums['files'] : undefined
    const digest = isRecord(files) && Object.hasOwn(files, fileName) ? files[fileName] : undefined
    if (typeof digest === 'string') return digest
  } catch (error) {
    if (!isLadingError(error)) throw error
    throw unverified(fileName, 'its provenance cannot be read', error)
  }
  throw unverified(fileName, 'its provenance is that of another file')
}

function unverified(fileName: string, problem: string, cause?: unknown): LadingError {
  return new LadingError('chart.unverified', `${fileName} is not verified: ${problem}`, { file: fileName }, { cause })
}
