import { formatRef, type KubeObject, LadingError, refOf } from '../../core/index.ts'
import { failedWhenAnnotation, readyWhenAnnotation } from '../../kube/index.ts'
import { releaseAnnotations } from './annotations.ts'

const ours = 'lading.dev/'
const original = 'sherpack.io/'

/** Read by the sandbox cluster alone; a real cluster passes over them. */
const simulated = ['', '-delay', '-exit-code', '-logs', '-message', '-revision', '-seconds'].map(
  (part) => `simulate${part}`,
)

/** Written by Lading itself on objects, records and locks: an object that was read from a cluster has them too. */
const written = [
  'release-name',
  'release-namespace',
  'created-at',
  'updated-at',
  'source',
  'description',
  'operation',
  'write-id',
  'remotes',
  'component',
]
const writtenByOriginal = [
  'chunk-index',
  'chunk-parent',
  'chunked',
  'compression',
  'storage-driver',
  'release',
  'release-chunk',
  'release-manifest',
  'release-name',
  'release-namespace',
  'release-status',
  'release-version',
]

const known: Readonly<Record<string, ReadonlySet<string>>> = {
  [ours]: new Set([
    ...releaseAnnotations.map((name) => ours + name),
    readyWhenAnnotation,
    failedWhenAnnotation,
    ...[...simulated, ...written].map((name) => ours + name),
  ]),
  [original]: new Set([...releaseAnnotations, ...writtenByOriginal].map((name) => original + name)),
}

/** The annotations of our own prefix that do not exist, each with the known one that is most like it. */
export function unknownAnnotationMistakes(object: KubeObject): LadingError[] {
  const ref = refOf(object)
  return unknownKeys(object, ours).map(
    (key) =>
      new LadingError('hook.invalid', `${formatRef(ref)}: ${unknown(key, ours, 'is not known')}`, {
        ref,
        annotation: key,
      }),
  )
}

/** What to warn of: annotations that have no effect, because Lading does not know them or because they are about a check that nobody asks for. */
export function annotationWarnings(object: KubeObject): string[] {
  return [
    ...unknownKeys(object, original).map((key) => unknown(key, original, 'is not known and has no effect')),
    ...idleCheckKeys(object).map((key) => `annotation ${key} has no effect without health-check: "true"`),
  ]
}

/** How an object is to be checked, where it does not say whether. */
function idleCheckKeys({ metadata: { annotations = {} } }: KubeObject): string[] {
  const prefixes = [ours, original]
  if (prefixes.some((prefix) => annotations[`${prefix}health-check`] !== undefined)) return []
  return Object.keys(annotations).filter((key) => prefixes.some((prefix) => key.startsWith(`${prefix}health-check-`)))
}

function unknownKeys({ metadata }: KubeObject, prefix: string): string[] {
  return Object.keys(metadata.annotations ?? {}).filter(
    (key) => key.startsWith(prefix) && known[prefix]?.has(key) !== true,
  )
}

function unknown(key: string, prefix: string, problem: string): string {
  return `annotation ${key} ${problem}; did you mean ${nearest(key, [...(known[prefix] ?? [])])}?`
}

function nearest(key: string, candidates: readonly string[]): string {
  const [first = ''] = candidates.toSorted((a, b) => distance(key, a) - distance(key, b))
  return first
}

/** How many characters have to be added, removed or replaced to make one text of the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [line, character] of from.split('').entries()) {
    const next = [line + 1]
    for (let at = 1; at <= to.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (character === to[at - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
