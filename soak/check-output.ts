import { errorTable } from '../src/core/index.ts'
import { secretValue, versions } from './content.ts'
import type { Outcome } from './run-lading.ts'

/** The exit code of a command that found drift which stays. */
const driftStays = 2

/** What is wrong with what a command said, a sentence each. */
export function checkOutput(
  { code, stdout, stderr, hung }: Outcome,
  { json, hidden = false }: { readonly json: boolean; readonly hidden?: boolean },
): string[] {
  const text = `${stdout}\n${stderr}`
  const problems = versions.flatMap((version) => {
    const value = secretValue(version)
    const shown = [value, Buffer.from(value).toString('base64')].some((each) => text.includes(each))
    return shown ? [`the output shows the Secret of version ${version}`] : []
  })
  if (/^\s+at .+:\d+:\d+\)?$/m.test(text) || text.includes('node:internal')) {
    problems.push(`the output has a stack trace: ${text.slice(-400)}`)
  }
  if (hung) problems.push('the command did not end')
  // What a killed process, or one whose output has no room, said cannot be held against it.
  if (code === undefined || hidden || code === 0) return problems
  const known = Object.entries(errorTable).filter(([, { exit }]) => exit === code)
  if (known.length === 0 && code !== driftStays) problems.push(`exit code ${code} stands in no row of the error table`)
  const problem = code === driftStays ? undefined : failureProblem(stderr, json)
  return problem === undefined ? problems : [...problems, problem]
}

/** The error code that a command with `-o json` failed with; undefined if it did not say. */
function errorCodeOf(stderr: string): string | undefined {
  for (const line of stderr.split('\n').toReversed()) {
    const found = /"error":\{.*?"code":"([a-z.-]+)"/.exec(line)?.[1]
    if (found !== undefined) return found
  }
  return undefined
}

function failureProblem(stderr: string, json: boolean): string | undefined {
  if (json) {
    const code = errorCodeOf(stderr)
    if (code === undefined) return `the failure has no code: ${stderr.slice(-300)}`
    return code === 'internal' ? `the failure is an internal error: ${stderr.slice(-400)}` : undefined
  }
  const lines = stderr.trimEnd().split('\n')
  const hasSentence = lines.some((line) => /^error: \S/.test(line))
  return hasSentence && lines.at(-1)?.startsWith('next: ') === true
    ? undefined
    : `the failure is no sentence with a next step: ${stderr.slice(-300)}`
}
