import { isRecord } from '../../core/index.ts'
import { parseDigest } from '../descriptor.ts'
import type { PublicKey, SigningKey } from './signing-key.ts'
import { readBase64, readJson } from './simple-signing.ts'

/** The media type of sigstore's bundles, which cosign 3 writes as referrers. */
export const bundleType = 'application/vnd.dev.sigstore.bundle.v0.3+json'
/** What a statement says that is no more than a signature; attestations say other things. */
export const signPredicate = 'https://sigstore.dev/cosign/sign/v1'

const payloadType = 'application/vnd.in-toto+json'
const statementType = 'https://in-toto.io/Statement/v1'

/** Signs a digest as a bundle: an in-toto statement about it in a DSSE envelope. */
export function writeBundle(digest: string, key: SigningKey): Uint8Array {
  const { algorithm, hex } = parseDigest(digest)
  const statement = {
    _type: statementType,
    subject: [{ digest: { [algorithm]: hex }, annotations: {} }],
    predicateType: signPredicate,
    predicate: {},
  }
  const payload = Buffer.from(JSON.stringify(statement))
  const sig = Buffer.from(key.sign(authenticated(payload))).toString('base64')
  const bundle = {
    mediaType: bundleType,
    verificationMaterial: { publicKey: { hint: key.publicKey.fingerprint } },
    dsseEnvelope: { payload: payload.toString('base64'), payloadType, signatures: [{ sig }] },
  }
  return Buffer.from(JSON.stringify(bundle))
}

/** The key that a bundle is signed by, or why it proves nothing about the digest. */
export function verifyBundle(
  bytes: Uint8Array,
  digest: string,
  keys: readonly PublicKey[],
): { readonly key: PublicKey } | { readonly key?: undefined; readonly problem: string } {
  const bundle = readJson(bytes)
  const envelope = isRecord(bundle) ? bundle['dsseEnvelope'] : undefined
  if (!isRecord(envelope) || envelope['payloadType'] !== payloadType) return { problem: 'it holds no signed statement' }
  const payload = readBase64(envelope['payload'])
  const signatures = Array.isArray(envelope['signatures']) ? envelope['signatures'] : []
  // sigstore's bundles have exactly one (protobuf-specs, Bundle.dsse_envelope).
  const signature = signatures.length === 1 && isRecord(signatures[0]) ? readBase64(signatures[0]['sig']) : undefined
  if (payload === undefined || signature === undefined) return { problem: 'it has no signature' }
  const content = authenticated(payload)
  const key = keys.find((one) => one.verify(content, signature))
  if (key === undefined) return { problem: 'none of the keys fits' }
  const statement = readJson(payload)
  if (!isRecord(statement)) return { problem: 'its statement is none of in-toto' }
  // An attestation says something about the artifact, for example that it was scanned; it does not approve it.
  if (statement['predicateType'] !== signPredicate) return { problem: 'it is an attestation, no signature' }
  if (statement['_type'] !== statementType) return { problem: 'its statement is none of in-toto' }
  return isAbout(statement['subject'], digest) ? { key } : { problem: 'it is about another digest' }
}

function isAbout(subjects: unknown, digest: string): boolean {
  const { algorithm, hex } = parseDigest(digest)
  if (!Array.isArray(subjects)) return false
  return subjects.some(
    (subject) => isRecord(subject) && isRecord(subject['digest']) && subject['digest'][algorithm] === hex,
  )
}

/** What a DSSE envelope signs: type and payload with their lengths (secure-systems-lab, DSSE, "PAE"). */
function authenticated(payload: Uint8Array): Uint8Array {
  const header = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.byteLength} `
  return Buffer.concat([Buffer.from(header), payload])
}
