import type { Descriptor } from '../descriptor.ts'
import type { PublicKey } from './signing-key.ts'
import { readBase64, readPayload, signatureAnnotation } from './simple-signing.ts'

/** What a layer with a signature proves, or why nothing. */
export type LayerVerdict =
  | { readonly key: PublicKey; readonly reference?: string }
  | { readonly key?: undefined; readonly problem: string }

/** Judges one signature: the key first, then what is signed; a payload counts only for the digest that it names (CVE-2022-36056). */
export function verifyLayer(
  layer: Descriptor,
  payload: Uint8Array,
  digest: string,
  keys: readonly PublicKey[],
): LayerVerdict {
  const signature = readBase64(layer.annotations?.[signatureAnnotation])
  if (signature === undefined) return { problem: 'it has no signature' }
  const key = keys.find((one) => one.verify(payload, signature))
  if (key === undefined) return { problem: 'none of the keys fits' }
  const claim = readPayload(payload)
  if (claim === undefined) return { problem: 'its payload is none of cosign' }
  if (claim.digest !== digest) return { problem: 'it is about another digest' }
  return { key, reference: claim.reference }
}
