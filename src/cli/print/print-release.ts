import { defined } from '../../core/index.ts'
import type { DeployResult, ReleaseRecord, SourceInfo } from '../../release/index.ts'
import type { Io } from '../io.ts'
import type { OutputFormat } from '../options/options.ts'
import { printDocument } from './print-data.ts'
import { countActions } from './print-plan.ts'
import { formatTable } from './print-table.ts'

/** A revision as commands print it. */
export interface ReleaseRow {
  readonly name: string
  readonly namespace: string
  readonly revision: number
  readonly status: string
  /** When the revision was begun, and when it was last deployed, failed or uninstalled. */
  readonly created: string
  readonly updated: string
  readonly source: string
  readonly description: string | undefined
}

/** The columns of a release, in the order that people know from Helm. */
export const releaseColumns = ['name', 'namespace', 'revision', 'status', 'updated', 'source'] as const

/** A revision as a row. */
export function releaseRow({
  name,
  namespace,
  version,
  state,
  createdAt,
  updatedAt,
  pack,
  description,
}: ReleaseRecord): ReleaseRow {
  const { status } = state
  const times = { created: createdAt, updated: updatedAt }
  return { name, namespace, revision: version, status, ...times, source: sourceText(pack), description }
}

/** A source on one line. */
function sourceText({ name, version, digest }: SourceInfo): string {
  if (version !== undefined) return `${name}-${version}`
  return digest === undefined ? name : `${name}@${digest.replace('sha256:', '').slice(0, 12)}`
}

/** Prints what an install, upgrade or rollback came to. */
export async function printDeployed(io: Io, format: OutputFormat, result: DeployResult): Promise<void> {
  const { outcome, plan, record } = result
  await printOutcome(io, format, outcome, record, { changes: countActions(plan.actions) })
}

/** Prints a revision and what came of the command. */
export async function printOutcome(
  io: Io,
  format: OutputFormat,
  outcome: string,
  record: ReleaseRecord | undefined,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const row = record === undefined ? undefined : releaseRow(record)
  // Notes say how to use what was installed.
  const notes = outcome === 'uninstalled' ? undefined : record?.notes
  const data = { outcome, ...row, ...defined({ notes }), ...more }
  await printDocument(io, format, data, () => {
    const rows = row === undefined ? [] : [{ ...row, outcome }]
    const text = formatTable({ rows, columns: [...releaseColumns, 'outcome'] })
    return notes === undefined ? text : `${text}\n${notes.trimEnd()}\n`
  })
}
