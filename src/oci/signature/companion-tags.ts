import { type Descriptor, parseDigest } from '../descriptor.ts'

/**
 * The tags under which cosign keeps what belongs to a manifest: signatures, attestations and SBOMs. They are no referrers in the sense
 * of the specification, so that no list of those names them.
 */
export function companionTags({ digest }: Descriptor): string[] {
  const { algorithm, hex } = parseDigest(digest)
  return algorithm === 'sha256' ? ['sig', 'att', 'sbom'].map((kind) => `${algorithm}-${hex}.${kind}`) : []
}
