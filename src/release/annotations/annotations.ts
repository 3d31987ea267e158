import { formatRef, type KubeObject, LadingError, refOf, toLadingError } from '../../core/index.ts'

/** Our own annotations, and where Helm has the same, Helm's; of several the first one decides. */
const prefixes = ['lading.dev/', 'sherpack.io/', 'helm.sh/']

/** Every annotation that a release reads, without its prefix. */
export const releaseAnnotations: readonly string[] = [
  'hook',
  'hook-weight',
  'hook-delete-policy',
  'hook-failure-policy',
  'hook-retries',
  'hook-timeout',
  'hook-output-log-policy',
  'sync-wave',
  'wait-for',
  'skip-wait',
  'resource-policy',
  'crd-policy',
  'health-check',
  'health-check-type',
  'health-check-path',
  'health-check-port',
  'health-check-command',
  'health-check-url',
]

/** The value of one of the release annotations, such as `hook-weight`, whatever prefix it was written with. */
export function annotation(object: KubeObject, name: string): string | undefined {
  const annotations: Readonly<Record<string, unknown>> = object.metadata.annotations ?? {}
  for (const prefix of prefixes) {
    const value = annotations[prefix + name]
    if (typeof value === 'string') return value
    // `sync-wave: 1` is a number to YAML, and an annotation is text to the API server.
    if (value !== undefined && value !== null) throw notText(object, prefix + name)
  }
  return undefined
}

/** The annotation as it stands on the object, for messages. */
export function annotationName(object: KubeObject, name: string): string {
  const prefix = prefixes.find((candidate) => object.metadata.annotations?.[candidate + name] !== undefined)
  return `${prefix ?? 'sherpack.io/'}${name}`
}

/** The items of a comma-separated annotation, without blanks. */
export function annotationList(object: KubeObject, name: string): string[] {
  return (annotation(object, name) ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** The error for an annotation whose value cannot be used. */
export function invalidAnnotation(object: KubeObject, name: string, why: string): LadingError {
  const ref = refOf(object)
  const field = annotationName(object, name)
  return new LadingError('hook.invalid', `${formatRef(ref)}: annotation ${field}: ${why}`, { ref, annotation: field })
}

/** Whether an annotation is Helm's own: charts are written for Helm, which passes over what it does not understand of them. */
export function isHelms(object: KubeObject, name: string): boolean {
  return annotationName(object, name).startsWith('helm.sh/')
}

/** What reading annotations throws, as data: each reader is tried, so that all mistakes of an object are known at once. */
export function mistakesIn(...readers: readonly (() => unknown)[]): LadingError[] {
  return readers.flatMap((read) => {
    try {
      read()
      return []
    } catch (error) {
      return [toLadingError(error)]
    }
  })
}

function notText(object: KubeObject, name: string): LadingError {
  const ref = refOf(object)
  const problem = `${formatRef(ref)}: annotation ${name} must be a string: quote it`
  return new LadingError('object.invalid', problem, { ref, annotation: name })
}
