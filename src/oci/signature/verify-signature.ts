import { type Context, LadingError } from '../../core/index.ts'
import type { Descriptor } from '../descriptor.ts'
import { fetchAll, type Target } from '../target.ts'
import { bundleType, verifyBundle } from './bundle.ts'
import { findManifest, readManifest, signatureTag } from './signature-manifest.ts'
import { loadPublicKey, type PublicKey } from './signing-key.ts'
import { simpleSigningType } from './simple-signing.ts'
import { type LayerVerdict, verifyLayer } from './verify-layer.ts'

/** What is asked of signatures. */
export interface VerifyOptions {
  /** Only signatures that name this repository, `HOST/REPOSITORY`, count (default: any repository, as with cosign). */
  readonly reference?: string
}

/** A signature that holds. */
export interface VerifiedSignature {
  readonly form: 'tag' | 'bundle'
  /** The key that made it, as its fingerprint, and its place among those that were given. */
  readonly fingerprint: string
  readonly keyIndex: number
  /** The digest of the layer that holds it. */
  readonly digest: string
  /** The repository that it names; bundles name none. */
  readonly reference?: string
}

/** Nobody signs this often; somebody who can write to the repository could let others read for ever. */
const maxSignatures = 100
const maxSignatureBytes = 256 * 1024
const referrerType = 'application/vnd.dev.cosign.artifact.sig.v1+json'

/**
 * The signatures of a manifest that one of the public keys (PEM) made, under cosign's tag or as referrers. Without any there is
 * an error: `signature.missing` where nobody signed, `signature.invalid` where no signature holds.
 */
export async function verifySignature(
  target: Target,
  signed: Descriptor,
  publicKeys: readonly string[],
  options: VerifyOptions,
  ctx: Context,
): Promise<VerifiedSignature[]> {
  if (publicKeys.length === 0) throw new LadingError('key.invalid', 'there is no public key to verify with')
  const keys = publicKeys.map(loadPublicKey)
  const verified: VerifiedSignature[] = []
  const problems: string[] = []
  for await (const found of findSignatures(target, signed, ctx)) {
    if (verified.length + problems.length >= maxSignatures) break
    const verdict = judge(found, signed.digest, keys, options)
    if ('problem' in verdict) problems.push(`${found.layer.digest}: ${verdict.problem}`)
    else verified.push(verdict)
  }
  if (verified.length > 0) return verified
  const { digest } = signed
  if (problems.length === 0) throw new LadingError('signature.missing', `${digest} is not signed`, { digest })
  const message = `no signature of ${digest} holds: ${problems.slice(0, 5).join('; ')}`
  throw new LadingError('signature.invalid', message, { digest, problems })
}

interface FoundSignature {
  readonly form: 'tag' | 'bundle'
  readonly layer: Descriptor
  readonly content: Uint8Array
}

async function* findSignatures(target: Target, signed: Descriptor, ctx: Context): AsyncGenerator<FoundSignature> {
  const tagged = await findManifest(target, signatureTag(signed), ctx)
  if (tagged !== undefined) yield* layersOf(target, tagged.manifest.layers, ctx)
  for (const referrer of await target.referrers(signed, undefined, ctx)) {
    if (referrer.artifactType !== bundleType && referrer.artifactType !== referrerType) continue
    const { subject, layers } = await readManifest(target, referrer, ctx)
    // A list of referrers is what the registry says; the manifest itself says whose it is.
    if (subject?.digest === signed.digest) yield* layersOf(target, layers, ctx)
  }
}

async function* layersOf(target: Target, layers: readonly Descriptor[], ctx: Context): AsyncGenerator<FoundSignature> {
  for (const layer of layers) {
    const form = layer.mediaType === simpleSigningType ? 'tag' : layer.mediaType === bundleType ? 'bundle' : undefined
    if (form !== undefined) yield { form, layer, content: await fetchAll(target, layer, maxSignatureBytes, ctx) }
  }
}

function judge(
  { form, layer, content }: FoundSignature,
  digest: string,
  keys: readonly PublicKey[],
  options: VerifyOptions,
): VerifiedSignature | { readonly problem: string } {
  const verdict: LayerVerdict =
    form === 'tag' ? verifyLayer(layer, content, digest, keys) : verifyBundle(content, digest, keys)
  if (verdict.key === undefined) return { problem: verdict.problem }
  const { reference } = verdict
  if (options.reference !== undefined && reference !== options.reference) {
    return { problem: `it names ${reference === undefined ? 'no repository' : JSON.stringify(reference)}` }
  }
  const { key } = verdict
  const found = { form, fingerprint: key.fingerprint, keyIndex: keys.indexOf(key), digest: layer.digest }
  return reference === undefined ? found : { ...found, reference }
}
