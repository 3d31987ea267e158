import type { Context } from '../../core/index.ts'
import { assemble, type Blob, blob, emptyConfig, writeManifest } from '../artifact/packed-artifact.ts'
import { pushArtifact } from '../artifact/push-artifact.ts'
import type { Descriptor } from '../descriptor.ts'
import { mediaTypes } from '../manifest.ts'
import type { Target } from '../target.ts'
import { bundleType, signPredicate, writeBundle } from './bundle.ts'
import { findManifest, signatureTag } from './signature-manifest.ts'
import type { SigningKey } from './signing-key.ts'
import { signatureAnnotation, simpleSigningType, writePayload } from './simple-signing.ts'
import { verifyLayer } from './verify-layer.ts'

/** How an artifact is signed. */
export interface SignOptions {
  /** The form of the signature (default: `tag`, which every cosign and Flux read); `bundle` is that of cosign 3, a referrer. */
  readonly form?: 'tag' | 'bundle'
  /** The repository that the signature names, `HOST/REPOSITORY` (default: the target's own). */
  readonly reference?: string
}

/** Signs a manifest that is in the target; gives the descriptor of the manifest that holds the signature. */
export async function signArtifact(
  target: Target,
  signed: Descriptor,
  key: SigningKey,
  options: SignOptions,
  ctx: Context,
): Promise<Descriptor> {
  // Who signs what is not there has mistyped the digest, or the repository.
  await target.resolve(signed.digest, ctx)
  return options.form === 'bundle'
    ? pushBundle(target, signed, key, ctx)
    : addToTag(target, signed, key, options.reference ?? locationOf(target), ctx)
}

// Registries have no way to add to a manifest: of two who sign at the same moment, one has to sign again.
async function addToTag(
  target: Target,
  signed: Descriptor,
  key: SigningKey,
  reference: string,
  ctx: Context,
): Promise<Descriptor> {
  const tag = signatureTag(signed)
  const found = await findManifest(target, tag, ctx)
  const payload = writePayload({ digest: signed.digest, reference })
  const signature = Buffer.from(key.sign(payload)).toString('base64')
  const layer = blob(simpleSigningType, payload, { [signatureAnnotation]: signature })
  const others = found?.manifest.layers ?? []
  const isSigned = others.some(
    (other) =>
      other.digest === layer.descriptor.digest &&
      verifyLayer(other, payload, signed.digest, [key.publicKey]).key !== undefined,
  )
  if (found !== undefined && isSigned) return found.descriptor
  const layers = [...others, layer.descriptor]
  const config = signatureConfig(layers)
  const manifest = writeManifest({ config: config.descriptor, layers, annotations: found?.manifest.annotations ?? {} })
  return pushArtifact(target, { manifest, blobs: [config, layer] }, tag, ctx)
}

async function pushBundle(target: Target, signed: Descriptor, key: SigningKey, ctx: Context): Promise<Descriptor> {
  const { mediaType, digest, size } = signed
  const packed = assemble({
    artifactType: bundleType,
    config: emptyConfig(),
    layers: [blob(bundleType, writeBundle(digest, key))],
    subject: { mediaType, digest, size },
    annotations: {
      'dev.sigstore.bundle.content': 'dsse-envelope',
      'dev.sigstore.bundle.predicateType': signPredicate,
    },
  })
  return pushArtifact(target, packed, undefined, ctx)
}

/** The config of an image of signatures, as cosign writes it. */
function signatureConfig(layers: readonly Descriptor[]): Blob {
  const rootfs = { type: 'layers', diff_ids: layers.map(({ digest }) => digest) }
  const config = { architecture: '', created: '0001-01-01T00:00:00Z', os: '', rootfs, config: {} }
  return blob(mediaTypes.ociConfig, JSON.stringify(config))
}

function locationOf({ location }: Target): string {
  return location === undefined ? '' : `${location.registry}/${location.repository}`
}
