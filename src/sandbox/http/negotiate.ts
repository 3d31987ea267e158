import { isRecord } from '../../core/index.ts'
import type { Negotiate } from './serve.ts'

/** Gives an answer as the client asked for it in `Accept`: whole, or metadata only. */
export const negotiate: Negotiate = (accept, _request, body) => {
  if (!/as=PartialObjectMetadata/.test(accept)) return body
  const apiVersion = 'meta.k8s.io/v1'
  if ('items' in body && Array.isArray(body.items)) {
    const items = body.items.map((item: unknown) => partial(item, apiVersion))
    return { kind: 'PartialObjectMetadataList', apiVersion, metadata: body.metadata, items }
  }
  return partial(body, apiVersion)
}

function partial(object: unknown, apiVersion: string): unknown {
  // Refusals and deletions answer with a Status, which has no other form.
  if (!isRecord(object) || object['kind'] === 'Status') return object
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: object['metadata'] }
}
