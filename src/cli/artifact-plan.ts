import { defined } from '../core/index.ts'

/** The artifact that a component is deployed from, as plans name it. */
export async function artifactPlan(reference: string) {
  const { formatReference, parseReference } = await import('../oci/index.ts')
  const { registry, repository, tag, digest } = parseReference(reference)
  return { oci_artifact: { url: formatReference({ registry, repository }), ...defined({ tag, digest }) } }
}
