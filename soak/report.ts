import type { ClusterKind } from './clusters.ts'
import { describeRound, type FaultKind, faultKinds } from './draw-round.ts'
import type { RoundResult } from './run-round.ts'

/** What came of one kind of fault on one cluster. */
export interface ReportRow {
  readonly fault: FaultKind
  readonly cluster: ClusterKind
  readonly rounds: number
  /** Rounds in which the fault really struck. */
  readonly struck: number
  /** Rounds in which the command that was struck still ended well. */
  readonly succeeded: number
  /** Rounds in which it struck and everything was sound afterwards. */
  readonly healed: number
  readonly violations: number
}

/** A round that broke a promise, with how it is run again. */
export interface Violation {
  readonly cluster: ClusterKind
  readonly round: string
  readonly violations: readonly string[]
}

/** What came of all rounds, by kind of fault. */
export function reportOf(cluster: ClusterKind, results: readonly RoundResult[]): ReportRow[] {
  return faultKinds.flatMap((fault): ReportRow[] => {
    const own = results.filter(({ round }) => round.fault === fault)
    const struck = own.filter((result) => result.struck)
    const broken = own.filter(({ violations }) => violations.length > 0)
    if (own.length === 0) return []
    return [
      {
        fault,
        cluster,
        rounds: own.length,
        struck: struck.length,
        succeeded: struck.filter(({ code }) => code === 0).length,
        healed: struck.filter(({ violations }) => violations.length === 0).length,
        violations: broken.length,
      },
    ]
  })
}

/** The rounds that broke a promise. */
export function violationsOf(cluster: ClusterKind, results: readonly RoundResult[]): Violation[] {
  return results
    .filter(({ violations }) => violations.length > 0)
    .map(({ round, violations }) => ({ cluster, round: describeRound(round), violations }))
}

/** The report as a table of Markdown. */
export function formatReport(rows: readonly ReportRow[]): string {
  const head = ['fault', 'cluster', 'rounds', 'struck', 'command still succeeded', 'healed', 'violations']
  const total = (key: 'rounds' | 'struck' | 'succeeded' | 'healed' | 'violations'): string =>
    String(rows.reduce((sum, row) => sum + row[key], 0))
  const lines = rows.map((row) =>
    [row.fault, row.cluster, row.rounds, row.struck, row.succeeded, row.healed, row.violations].map(String),
  )
  const last = ['all', '', total('rounds'), total('struck'), total('succeeded'), total('healed'), total('violations')]
  return [head, head.map(() => '---'), ...lines, last].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
