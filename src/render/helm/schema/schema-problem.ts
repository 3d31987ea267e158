import { stringifyJson } from '../../../core/index.ts'

/** One thing that is wrong with a value, with what it consists of. */
export interface SchemaProblem {
  readonly path: readonly string[]
  readonly message: string
  readonly causes: readonly SchemaProblem[]
  /** Several problems of one value under one line, which a parent may take apart again. */
  readonly group?: boolean
  /** A reference shows only where it holds more than one problem. */
  readonly reference?: boolean
}

/** Problems as Helm writes them: a line each, causes indented below. */
export function writeProblems(problem: SchemaProblem): string {
  const lines: string[] = []
  for (const each of problem.group === true ? problem.causes : [problem]) write(each, 0, lines)
  return lines.join('\n')
}

/** A text in single quotes, escaped as Go's %q escapes it. */
export function quoted(text: string): string {
  const escaped = stringifyJson(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${escaped}'`
}

/** A count as the messages of Helm's validator show it: digits grouped by three. */
export function grouped(value: number): string {
  return new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 }).format(value)
}

/** A number as these messages show it: grouped, and from a million on as a power of ten. */
export function scientific(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return grouped(value)
  const digits = String(Math.abs(power)).padStart(2, '0')
  return `${mantissa}×10${power < 0 ? '⁻' : ''}${digits.replaceAll(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit)))}`
}

function write(problem: SchemaProblem, depth: number, lines: string[]): void {
  if (problem.reference === true && problem.causes.length === 1) {
    write(problem.causes[0]!, depth, lines)
    return
  }
  const at = problem.path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  lines.push(`${'  '.repeat(depth)}- at ${quoted(at)}: ${problem.message}`)
  for (const cause of problem.causes) write(cause, depth + 1, lines)
}
