import { LadingError } from '../../core/index.ts'
import type { SortOptions } from './load/arguments.ts'
import { formatGvk, type Gvk, kindRanks, kindsFirst, kindsLast, sameGvk, sortText } from './resource/gvk.ts'
import type { ResId } from './resource/res-id.ts'
import type { Resource } from './resource/resource.ts'
import { compareText } from './yaml/value.ts'

/** Puts resources into the order that `sortOptions` asks for. */
export function sortResources(resources: readonly Resource[], options: SortOptions): Resource[] {
  if (options.order !== 'fifo' && options.order !== 'legacy') {
    throw invalid("the field 'sortOptions.order' must be one of [fifo, legacy]")
  }
  if (options.order === 'fifo') {
    if (options.legacySortOptions !== undefined) {
      throw invalid(
        "the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not 'legacy'",
      )
    }
    return [...resources]
  }
  const { orderFirst, orderLast } = options.legacySortOptions ?? { orderFirst: kindsFirst, orderLast: kindsLast }
  const ranks = kindRanks(orderFirst, orderLast)
  const keyed = resources.map((resource) => ({ resource, id: resource.currentId() }))
  return keyed.sort((a, b) => compareIds(a.id, b.id, ranks)).map(({ resource }) => resource)
}

function compareIds(a: ResId, b: ResId, ranks: ReadonlyMap<string, number>): number {
  if (!sameGvk(a.gvk, b.gvk)) return compareKinds(a.gvk, b.gvk, ranks)
  return compareText(idText(a), idText(b))
}

function compareKinds(a: Gvk, b: Gvk, ranks: ReadonlyMap<string, number>): number {
  const rank = (ranks.get(a.kind) ?? 0) - (ranks.get(b.kind) ?? 0)
  if (rank !== 0) return rank
  const text = compareText(sortText(a), sortText(b))
  // Namespaces of other groups come behind the core ones.
  const isNamespace = a.kind === 'Namespace' && b.kind === 'Namespace' && (a.group === '' || b.group === '')
  return isNamespace ? -text : text
}

function idText(id: ResId): string {
  return `${formatGvk(id.gvk)}|${id.namespace || '~X'}|${id.name || '~N'}`
}

function invalid(problem: string): LadingError {
  return new LadingError('kustomize.invalid', problem, { field: 'sortOptions' })
}
