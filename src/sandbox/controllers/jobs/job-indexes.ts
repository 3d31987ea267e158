import type { KubeObject } from '../../../core/index.ts'

const indexAnnotation = 'batch.kubernetes.io/job-completion-index'

/** The indexes in a text such as `0,2-4`. */
export function parseIndexes(text: string): Set<number> {
  const indexes = new Set<number>()
  for (const range of text.split(',').filter((part) => part !== '')) {
    const [from = 0, to = from] = range.split('-').map(Number)
    for (let index = from; index <= to; index += 1) indexes.add(index)
  }
  return indexes
}

/** Indexes as a Job's status spells them. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const ranges: { from: number; to: number }[] = []
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last !== undefined && last.to === index - 1) last.to = index
    else ranges.push({ from: index, to: index })
  }
  return ranges
    .map(({ from, to }) => (from === to ? `${from}` : to === from + 1 ? `${from},${to}` : `${from}-${to}`))
    .join(',')
}

/** The indexes with those of Pods that succeeded. */
export function addIndexes(indexes: ReadonlySet<number>, pods: readonly KubeObject[]): Set<number> {
  return new Set([...indexes, ...pods.map(indexOf)])
}

/** The indexes that no Pod works on and none has completed, in order. */
export function freeIndexes(
  completions: number,
  completed: ReadonlySet<number>,
  active: readonly KubeObject[],
): number[] {
  const taken = new Set(active.map(indexOf))
  return Array.from({ length: completions }, (_, index) => index).filter(
    (index) => !completed.has(index) && !taken.has(index),
  )
}

function indexOf(pod: KubeObject): number {
  return Number(pod.metadata.annotations?.[indexAnnotation] ?? -1)
}
