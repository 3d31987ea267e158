import { LadingError } from '../../../core/index.ts'
import { applyDelta } from './apply-delta.ts'
import { type GitObject, type GitObjectType, objectId } from './git-object.ts'

/** An object as it stands in a pack: whole, or as a delta on the one at an offset or with an id. */
export type PackEntry = { readonly offset: number; readonly data: Uint8Array } & (
  | { readonly type: GitObjectType }
  | { readonly base: number | string }
)

interface DeltaLimits {
  readonly maxObjectBytes: number
  readonly maxBytes: number
  readonly maxDeltaDepth: number
}

/** Makes objects of all entries, from the whole ones up, so that each entry is looked at once however the pack is ordered. */
export function resolveDeltas(entries: readonly PackEntry[], limits: DeltaLimits): Map<string, GitObject> {
  const objects = new Map<string, GitObject>()
  const deltas = deltasByBase(entries)
  const done = new Set<number>()
  const open: { offset: number; object: GitObject; depth: number }[] = []
  let left = limits.maxBytes
  for (const entry of entries) {
    if ('type' in entry) open.push({ offset: entry.offset, object: { type: entry.type, data: entry.data }, depth: 0 })
  }
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { offset, object, depth } = at
    if (done.has(offset)) continue
    done.add(offset)
    const id = objectId(object)
    objects.set(id, object)
    for (const delta of [...(deltas.get(offset) ?? []), ...(deltas.get(id) ?? [])]) {
      if (done.has(delta.offset)) continue
      if (depth >= limits.maxDeltaDepth) throw damaged(`more than ${limits.maxDeltaDepth} deltas stand on each other`)
      const data = applyDelta(object.data, delta.data, Math.min(limits.maxObjectBytes, left))
      left -= data.length
      open.push({ offset: delta.offset, object: { type: object.type, data }, depth: depth + 1 })
    }
  }
  if (done.size !== entries.length) throw damaged('a delta has no base')
  return objects
}

function deltasByBase(entries: readonly PackEntry[]): Map<number | string, PackEntry[]> {
  const found = new Map<number | string, PackEntry[]>()
  for (const entry of entries) {
    if (!('base' in entry)) continue
    const known = found.get(entry.base)
    if (known === undefined) found.set(entry.base, [entry])
    else known.push(entry)
  }
  return found
}

function damaged(problem: string): LadingError {
  return new LadingError('git.failed', `the server sent a damaged pack: ${problem}`)
}
