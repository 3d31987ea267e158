import { isRecord } from '../../core/index.ts'

/** The media type of a payload (cosign, "Signature Specification"). */
export const simpleSigningType = 'application/vnd.dev.cosign.simplesigning.v1+json'
/** Where the signature of a payload stands, on its layer. */
export const signatureAnnotation = 'dev.cosignproject.cosign/signature'

const payloadType = 'cosign container image signature'

/** What a signature claims. */
export interface Claim {
  /** The digest of the manifest that was signed. */
  readonly digest: string
  /** The repository that it was signed in; empty where the signer did not say. */
  readonly reference: string
}

/** Writes the payload that is signed: Red Hat's simple signing with the type of cosign, field by field as cosign orders them. */
export function writePayload({ digest, reference }: Claim): Uint8Array {
  const critical = {
    identity: { 'docker-reference': reference },
    image: { 'docker-manifest-digest': digest },
    type: payloadType,
  }
  return Buffer.from(JSON.stringify({ critical, optional: null }))
}

/** Reads the payload of a signature; gives undefined if the text is not one. */
export function readPayload(payload: Uint8Array): Claim | undefined {
  const value = readJson(payload)
  const critical = isRecord(value) ? value['critical'] : undefined
  if (!isRecord(critical) || critical['type'] !== payloadType) return undefined
  const { image, identity } = critical
  const digest = isRecord(image) ? image['docker-manifest-digest'] : undefined
  const reference = isRecord(identity) ? identity['docker-reference'] : undefined
  if (typeof digest !== 'string') return undefined
  return { digest, reference: typeof reference === 'string' ? reference : '' }
}

/** Reads JSON; gives undefined if the text is not valid. */
export function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/** Reads base64 strictly; gives undefined if the text is not valid. */
export function readBase64(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  return Buffer.from(text, 'base64')
}
