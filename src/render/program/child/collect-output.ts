import type { ProgramPiece } from './messages.ts'
import { plainData } from './plain-data.ts'

/** What a program gave, in its order. */
export interface Collected {
  readonly pieces: ProgramPiece[]
  notes?: string
}

/** Collects the objects that a program gives: in lists of any depth, iterables, promises, and by the methods of cdk8s. */
export async function collectOutput(output: unknown): Promise<Collected> {
  const collected: Collected = { pieces: [] }
  await collect(output, collected, 0)
  return collected
}

const maxDepth = 100

async function collect(given: unknown, collected: Collected, depth: number): Promise<void> {
  const value = await given
  if (value === undefined || value === null) return
  if (depth > maxDepth) throw new TypeError(`the output is nested more than ${maxDepth} deep`)
  if (typeof value !== 'object') throw new TypeError(`the output holds a ${typeof value} where an object is expected`)
  if (isApp(value)) {
    collected.pieces.push({ yaml: value.synthYaml() })
  } else if ('toJson' in value && typeof value.toJson === 'function') {
    await collect((value.toJson as () => unknown).call(value), collected, depth + 1)
  } else if (isIterable(value)) {
    for await (const item of value) await collect(item, collected, depth + 1)
  } else if (isSummary(value)) {
    if (typeof value.notes === 'string') collected.notes = value.notes
    await collect(value.objects, collected, depth + 1)
  } else {
    collected.pieces.push({ value: plainData(value, placeOf(value)) })
  }
}

/** An App of cdk8s, which resolves and validates its charts when it writes them. */
function isApp(value: object): value is { synthYaml(): string } {
  return 'synthYaml' in value && typeof value.synthYaml === 'function'
}

function isIterable(value: object): value is AsyncIterable<unknown> | Iterable<unknown> {
  return Symbol.iterator in value || Symbol.asyncIterator in value
}

function isSummary(value: object): value is { objects: unknown; notes?: unknown } {
  return 'objects' in value && !('kind' in value) && !('apiVersion' in value)
}

function placeOf(value: object): string {
  const { kind, metadata } = value as { kind?: unknown; metadata?: { name?: unknown } | null }
  const name = typeof metadata === 'object' && metadata !== null ? metadata.name : undefined
  return typeof kind === 'string' && typeof name === 'string' ? `${kind} ${name}: ` : ''
}
