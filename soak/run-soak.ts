import type { SoakCluster } from './clusters.ts'
import { describeRound, drawRound, type FaultKind, faultKinds } from './draw-round.ts'
import { referencesOn } from './references.ts'
import { type RoundResult, runRound } from './run-round.ts'

/** How much is tried. */
export interface SoakOptions {
  readonly seed: number
  /** The numbers of the rounds; each follows from the seed and its number alone. */
  readonly rounds: readonly number[]
  readonly only?: readonly FaultKind[]
  /** Rounds side by side. */
  readonly parallel: number
  readonly progress?: (line: string) => void
  readonly signal?: AbortSignal
}

/** Runs rounds on a cluster, several at a time. */
export async function runSoak(target: SoakCluster, options: SoakOptions): Promise<RoundResult[]> {
  const references = referencesOn(target)
  const results: RoundResult[] = []
  const left = options.rounds.values()
  const work = async (): Promise<void> => {
    for (const number of left) {
      if (options.signal?.aborted === true) return
      const round = drawRound(
        options.seed,
        number,
        faultKinds.filter((kind) => options.only?.includes(kind) ?? true),
      )
      const result = await runRound(target, references, round)
      results.push(result)
      const outcome = result.violations.length > 0 ? 'VIOLATION' : result.struck ? 'healed' : 'did not strike'
      options.progress?.(
        `${results.length}/${options.rounds.length} ${target.kind} ${describeRound(round)}: ${outcome}`,
      )
      for (const violation of result.violations) options.progress?.(`  ${violation}`)
    }
  }
  await Promise.all(Array.from({ length: options.parallel }, work))
  return results
}
