import { formatApiVersion, type GroupVersionKind, isRecord, type KubeObject, LadingError } from '../../core/index.ts'

/** The object that an API server answered with. */
export function objectBody(body: unknown): KubeObject {
  if (isObject(body)) return body
  throw new LadingError('kube.server-error', 'the API server did not answer with an object')
}

/** Names an object by its own kind: items of a list come without, metadata-only reads as PartialObjectMetadata. */
export function asKind(item: unknown, gvk: GroupVersionKind): KubeObject {
  if (!isRecord(item)) throw new LadingError('kube.server-error', `the API server sent no object for a ${gvk.kind}`)
  // Spread after the two, so that they come first as in every manifest, and again so that they win.
  const named = { apiVersion: formatApiVersion(gvk), kind: gvk.kind }
  return objectBody({ ...named, ...item, ...named })
}

function isObject(body: unknown): body is KubeObject {
  return (
    isRecord(body) &&
    typeof body['apiVersion'] === 'string' &&
    typeof body['kind'] === 'string' &&
    isRecord(body['metadata'])
  )
}
