import { isLabelValue, isQualifiedName, isRecord, type KubeObject, stringifyJson } from '../../../core/index.ts'

/** Whether the metadata of an object is plain and surely valid: a name and a namespace, labels and annotations, nothing else. */
export function isPlainMetadata({ metadata }: KubeObject): boolean {
  const fields = Object.keys(metadata).filter((field) => metadata[field] !== undefined)
  return fields.every((field) => plainFields.has(field)) && areValidMarks(metadata)
}

/** Whether labels and annotations are surely valid. */
export function areValidMarks({ labels, annotations }: KubeObject['metadata']): boolean {
  return areLabels(labels) && areAnnotations(annotations)
}

/** Whether every value of a map of texts is a label's value under a label's name. */
export function areLabels(value: unknown): boolean {
  return isMap(value, (text) => isText(text) && isLabelValue(text), isQualifiedName)
}

const plainFields: ReadonlySet<string> = new Set(['name', 'namespace', 'labels', 'annotations'])
// The API server allows 256 KiB, the names counted too.
const largestAnnotations = 200_000

function areAnnotations(annotations: unknown): boolean {
  // The server looks at the lower case of an annotation's name only.
  if (!isMap(annotations, isText, (name) => isQualifiedName(name.toLowerCase()))) return false
  const size = Object.entries(annotations ?? {}).reduce(
    (sum, [name, value]) => sum + name.length + String(value).length,
    0,
  )
  return (
    size * longestCharacter <= largestAnnotations || Buffer.byteLength(stringifyJson(annotations)) <= largestAnnotations
  )
}

const longestCharacter = 3

function isMap(value: unknown, isValue: (value: unknown) => boolean, isName: (name: string) => boolean): boolean {
  if (value === undefined) return true
  return isRecord(value) && Object.entries(value).every(([name, entry]) => isName(name) && isValue(entry))
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
