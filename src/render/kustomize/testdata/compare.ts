import { isDeepStrictEqual } from 'node:util'
import { LadingError, parseJson, stringifyJson } from '../../../core/index.ts'
import { parseDocuments } from '../../../core/yaml/index.ts'
import { buildKustomization, folderTree, renderYaml } from '../index.ts'
import type { Outcome } from './oracle.ts'

/** How our build of a folder stands to the original's. */
export interface Comparison {
  /** Says what differs; undefined where objects, order and refusal agree. */
  readonly difference: string | undefined
  /** Whether the text is the same to the byte. */
  readonly sameBytes: boolean
}

/** Builds the kustomization at `path` below `root` with our engine and holds it against what the original made of it. */
export function compareBuild(
  root: string,
  path: string,
  expected: Outcome,
  mentions: readonly string[] = [],
): Comparison {
  const ours = ourOutcome(root, path)
  if ('crash' in ours) return { difference: `crashed: ${ours.crash}`, sameBytes: false }
  if ('error' in expected) return { difference: refusalDifference(ours, expected.error, mentions), sameBytes: false }
  if ('error' in ours) return { difference: `refused what the original builds: ${ours.error}`, sameBytes: false }
  const sameBytes = ours.yaml === expected.yaml
  return { difference: objectsDifference(ours.objects, documentsOf(expected.yaml)), sameBytes }
}

type OurOutcome = { yaml: string; objects: readonly unknown[] } | { error: string } | { crash: string }

// kubectl kustomize and kustomize build sort by kind unless `sortOptions` say otherwise.
function ourOutcome(root: string, path: string): OurOutcome {
  try {
    const objects = buildKustomization(folderTree(root), path, { reorder: 'legacy' })
    return { yaml: renderYaml(objects), objects: objects.map((object) => parseJson(stringifyJson(object))) }
  } catch (error) {
    if (error instanceof LadingError) return { error: `${error.code}: ${error.message}` }
    return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function refusalDifference(ours: { error: string } | object, theirs: string, mentions: readonly string[]) {
  if (!('error' in ours)) return `built what the original refuses: ${theirs}`
  const missing = mentions.filter((word) => !ours.error.includes(word))
  return missing.length === 0 ? undefined : `our error does not mention ${missing.join(', ')}: ${ours.error}`
}

function documentsOf(yaml: string): unknown[] {
  return parseDocuments(yaml)
    .map(({ value }) => value)
    .filter((value) => value !== null)
    .map((value) => parseJson(stringifyJson(value)))
}

function objectsDifference(ours: readonly unknown[], theirs: readonly unknown[]): string | undefined {
  if (isDeepStrictEqual(ours, theirs)) return undefined
  const [got, wanted] = [ours.map(identity), theirs.map(identity)]
  if (!isDeepStrictEqual(got, wanted)) return `objects: expected ${wanted.join(' ')}, got ${got.join(' ')}`
  const index = ours.findIndex((object, at) => !isDeepStrictEqual(object, theirs[at]))
  return `${got[index]}:${fieldDifferences(ours[index], theirs[index], '').slice(0, 8).join(';')}`
}

function identity(object: unknown): string {
  const { kind, metadata } = object as { kind?: string; metadata?: { name?: string; namespace?: string } }
  return [kind, metadata?.namespace, metadata?.name].filter((part) => part !== undefined).join('/')
}

function fieldDifferences(ours: unknown, theirs: unknown, path: string): string[] {
  if (isDeepStrictEqual(ours, theirs)) return []
  if (typeof ours !== 'object' || typeof theirs !== 'object' || ours === null || theirs === null) {
    return [` ${path} expected ${shortJson(theirs)}, got ${shortJson(ours)}`]
  }
  const [left, right] = [ours as Record<string, unknown>, theirs as Record<string, unknown>]
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].flatMap((key) => fieldDifferences(left[key], right[key], `${path}/${key}`))
}

function shortJson(value: unknown): string {
  return value === undefined ? 'nothing' : stringifyJson(value).slice(0, 200)
}
