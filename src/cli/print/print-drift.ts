import { formatRef, oneLine } from '../../core/index.ts'
import type { Correction, DriftReport } from '../../release/index.ts'
import { paint } from './colour.ts'
import type { Io } from '../io.ts'
import type { OutputFormat } from '../options/options.ts'
import { printDocument } from './print-data.ts'
import { printLine } from './print-line.ts'

interface DriftPrinting {
  readonly output: OutputFormat
  readonly unchanged?: boolean
}

/** Prints what drifted, and says on stderr where nobody could look. */
export async function printDrift(io: Io, options: DriftPrinting, report: DriftReport): Promise<void> {
  for (const { group, kind, namespace } of report.unlisted) {
    const where = namespace === undefined ? '' : ` in ${namespace}`
    const name = group === '' ? kind : `${kind}.${group}`
    printLine(io.stderr, oneLine(`warning: ${name}${where} may not be listed: orphans of this kind are not found`))
  }
  await printDocument(io, options.output, report, () => driftText(io, options, report))
}

/** Prints what was corrected: with the report where the output is one document. */
export async function printCorrection(
  io: Io,
  { output }: DriftPrinting,
  report: DriftReport,
  correction: Correction,
): Promise<void> {
  await printDocument(io, output, { ...report, correction }, () => correctionText(correction))
}

async function driftText(io: Io, { unchanged = false }: DriftPrinting, report: DriftReport): Promise<string> {
  const { formatDiff } = await import('../../release/index.ts')
  const colour = paint(io.stdout, io.env)
  const objects = formatDiff(report.objects, { unchanged, colour })
  const orphans = report.orphans.map(
    (ref) => `${colour(`? ${formatRef(ref)}`, 'yellow')}\n    (orphan: no revision has it)\n`,
  )
  const kept = unchanged ? report.kept.map((ref) => `= ${formatRef(ref)}\n    (kept by its resource policy)\n`) : []
  return [objects, ...orphans, ...kept].join('')
}

function correctionText({ corrected, leftOver, revision, remaining }: Correction): string {
  const lines = corrected.map(({ ref, action }) => `corrected ${formatRef(ref)} (${action})`)
  if (revision !== undefined) lines.push(`drift corrected by revision ${revision}`)
  const added = remaining.objects.filter(({ drift }) => (drift?.added ?? []).length > 0).length
  if (added > 0) lines.push(`fields that others added to ${countOf(added)} stay: --remove-foreign-fields removes them`)
  for (const ref of leftOver) lines.push(`left over ${formatRef(ref)}: the next upgrade deletes it`)
  if (remaining.orphans.length > 0) lines.push(`${countOf(remaining.orphans.length)} of no revision stay`)
  if (lines.length === 0) lines.push('nothing drifted')
  return `${lines.join('\n')}\n`
}

function countOf(count: number): string {
  return count === 1 ? '1 object' : `${count} objects`
}
