import type { TranscriptEntry } from './client-case.ts'

/** A transcript as text, with everything replaced that no two runs have in common: names of the run, ids, versions, times. */
export function transcriptText(entries: readonly TranscriptEntry[], unique: string): string {
  const texts = entries.map(({ line, code, stdout, stderr }) => `$ ${line}\n${stdout}${stderr}exit code ${code}\n`)
  return normalizeText(texts.join('\n'), unique)
}

function normalizeText(text: string, unique: string): string {
  return replacements
    .reduce((done, [pattern, by]) => done.replace(pattern, by), text.replaceAll(unique, 'UNIQUE'))
    .replaceAll(/(^\* .*\n)+/gm, (causes) => causes.split(/^(?=\* )/m).sort().join(''))
    .replaceAll(/ +$/gm, '')
}

const replacements: readonly (readonly [RegExp, string])[] = [
  [/\/tmp\/lading-client-[\w/.-]+/g, 'FILE'],
  [/https?:\/\/[\d.]+:\d+/g, 'SERVER'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, 'TIME'],
  [/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, 'TIME'],
  [/[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d \d{4}/g, 'TIME'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \+0000 UTC/g, 'TIME'],
  [/modifiedAt=\d+/g, 'modifiedAt=TIME'],
  [/("?resourceVersion"?: ?)"?\d+"?/g, '$1VERSION'],
  // Of a Deployment's Pod, then of a ReplicaSet or of a Pod that something else made.
  [/-[a-z0-9]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-HASH-RANDOM'],
  [/-(?=[a-z0-9]*\d)[bcdfghjklmnpqrstvwxz2456789]{8,10}\b/g, '-HASH'],
  [/(pod-template-hash["=: ]+)[a-z0-9]+/g, '$1HASH'],
  [/\b(\d+\.){3}\d+(\/\d+)?\b/g, 'ADDRESS'],
  [/\b(sandbox-)?node(-\d+)?(?=  )/g, 'NODE'],
  // Ages, and the spaces that line columns up after them.
  [/\b(\d+[dhms]){1,2}\b/g, 'AGE'],
  [/<(unknown|invalid)>/g, 'AGE'],
  [/ {2,}/g, '  '],
]
