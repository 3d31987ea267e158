import { isRecord, isSecretKind, type KubeObject, stringifyJson } from '../../core/index.ts'
import { readObjects } from '../../core/yaml/index.ts'
import type { ReleaseRecord } from './record.ts'

/** Takes what must not be told out of a text. */
export type TextMask = (text: string) => string

/** Shorter values would take pieces out of ordinary words, and are no secrets worth the name. */
const shortest = 4

/** Of a run of base64 that is at least so long, any part of a Secret is recognised, however its lines were wrapped. */
const encodedRun = /[A-Za-z0-9+/]{16,}={0,2}/g

/** Columns after which tools wrap base64. */
const wraps = [64, 76]

/**
 * A mask for the values of the Secrets among objects, in logs and messages: plain, as base64, quoted, and each line of a value of many lines,
 * since often only the end of a log is read. The objects are looked at when the first text is masked.
 */
export function secretMask(objects: () => readonly KubeObject[]): TextMask {
  let known: { readonly spellings: readonly string[]; readonly encoded: readonly string[] } | undefined
  return (text) => {
    known ??= spellingsOf(objects().flatMap(valuesOf))
    const { spellings, encoded } = known
    // Whole runs before the spellings of single lines, which would leave pieces of them.
    const rest = text.replaceAll(encodedRun, (run) => (encoded.some((value) => value.includes(run)) ? '***' : run))
    return spellings.reduce((masked, spelling) => masked.replaceAll(spelling, '***'), rest)
  }
}

/** The mask for the Secrets of a revision. */
export function recordMask({ manifest, hooks }: Pick<ReleaseRecord, 'manifest' | 'hooks'>): TextMask {
  return secretMask(() => objectsOfRecord({ manifest, hooks }))
}

/** Everything that a revision has, hooks included. */
export function objectsOfRecord({ manifest, hooks }: Pick<ReleaseRecord, 'manifest' | 'hooks'>): KubeObject[] {
  return [...readObjects(manifest), ...hooks.map(({ object }) => object)]
}

function valuesOf(object: KubeObject): string[] {
  if (!isSecretKind(object)) return []
  const texts = (field: unknown): string[] => (isRecord(field) ? Object.values(field).map(String) : [])
  return [
    ...texts(object['stringData']),
    ...texts(object['data']).map((value) => Buffer.from(value, 'base64').toString()),
  ]
}

function spellingsOf(values: readonly string[]): { spellings: string[]; encoded: string[] } {
  const encoded = values.flatMap(encodedForms)
  const plain = values.flatMap((value) => [value, ...value.split(/\r?\n/)].map((text) => text.trim()))
  const lines = plain.flatMap((text) => [
    text,
    quoted(text),
    encodeURIComponent(text.toWellFormed()),
    ...encodedForms(text),
  ])
  const wrapped = encoded.flatMap((text) => wraps.flatMap((width) => chunksOf(text, width)))
  const all = new Set([...values, ...lines, ...encoded, ...wrapped].filter(({ length }) => length >= shortest))
  // The longest first: one may be a part of another.
  return { spellings: [...all].sort((a, b) => b.length - a.length), encoded }
}

/** As base64, also with the newline that `echo` adds. */
function encodedForms(text: string): string[] {
  return text === '' ? [] : [text, `${text}\n`].map((each) => Buffer.from(each).toString('base64'))
}

function quoted(text: string): string {
  return stringifyJson(text).slice(1, -1)
}

function chunksOf(text: string, width: number): string[] {
  return Array.from({ length: Math.ceil(text.length / width) }, (_, at) => text.slice(at * width, (at + 1) * width))
}
