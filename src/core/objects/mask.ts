import { createHmac, randomBytes } from 'node:crypto'
import { isRecord, stringifyJson } from '../json/json.ts'
import type { KubeObject } from './object.ts'

/** Turns a value into a token that shows only whether two values are the same. */
export type Mask = (value: unknown) => string

/**
 * A mask with its own key. Equal values get equal tokens under one mask, so that "changed" still shows; without the key,
 * which never leaves the process, a token cannot be checked against guesses of the value.
 */
export function createMask(key: Uint8Array = randomBytes(32)): Mask {
  return (value) => {
    const text = typeof value === 'string' ? value : (stringifyJson(value) ?? '')
    return `***${createHmac('sha256', key).update(text).digest('hex').slice(0, 8)}`
  }
}

/** Whether the values of a kind are secret. */
export function isSecretKind(object: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean {
  return object.kind === 'Secret' && object.apiVersion === 'v1'
}

/** The annotation in which `kubectl apply` keeps the whole object as it was applied, values included. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'

/** Annotations in which tools keep the whole object: kubectl, kapp, and Rancher's, the last as base64 of gzip. */
export const wholeObjectAnnotations: readonly string[] = [
  lastAppliedAnnotation,
  'kapp.k14s.io/original',
  'objectset.rio.cattle.io/applied',
]

/** The object with every value of a Secret masked; other kinds come back as they are. */
export function maskSecret(object: KubeObject, mask: Mask): KubeObject {
  if (!isSecretKind(object)) return object
  const masked: KubeObject = { ...object, metadata: { ...object.metadata } }
  for (const field of ['data', 'stringData']) {
    const values = object[field]
    if (values !== undefined && values !== null) masked[field] = maskValues(values, mask)
  }
  for (const name of wholeObjectAnnotations) {
    const text = masked.metadata.annotations?.[name]
    if (text !== undefined) masked.metadata.annotations = { ...masked.metadata.annotations, [name]: mask(text) }
  }
  return masked
}

function maskValues(values: unknown, mask: Mask): unknown {
  if (!isRecord(values)) return mask(values)
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, mask(value)]))
}
