import { describe, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../../testbed/npm-clients.ts'
import { caseFiles, expectedOutcomes, valuesFile } from './testdata/function-cases.ts'
import { askHelm } from './testdata/helm-oracle.ts'
import { expressionRunner, readValues } from './testdata/run-expression.ts'
import knownDifferences from './testdata/known-differences.json' with { type: 'json' }

const known: Readonly<Record<string, string>> = knownDifferences
const files = caseFiles()

describe('functions print what the real helm printed', () => {
  it.each(files)('$family', ({ family, expressions }) => {
    const expected = expectedOutcomes(family)
    const run = expressionRunner(readValues(valuesFile))
    const differences = expressions
      .map((expression) => ({ expression, ours: run(expression), helm: expected[expression] }))
      .filter(({ ours, helm }) => JSON.stringify(ours) !== JSON.stringify(helm))
    expect(differences.filter(({ expression }) => !(expression in known))).toEqual([])
    const stale = Object.keys(known).filter((expression) => expressions.includes(expression))
    expect(stale.filter((expression) => !differences.some((row) => row.expression === expression))).toEqual([])
  })

  it('has more than fifteen hundred expressions', () => {
    expect(files.reduce((sum, { expressions }) => sum + expressions.length, 0)).toBeGreaterThan(1500)
  })
})

describe.skipIf(noNpmClients !== undefined)('the real helm still says so', () => {
  const all = files.flatMap(({ family }) => Object.entries(expectedOutcomes(family)))

  it('for everything that prints, in one render', async () => {
    const clients = await npmClients()
    const printing = all.filter(([, outcome]) => 'output' in outcome)
    const said = await askHelm(
      clients!.helm,
      printing.map(([expression]) => expression),
      valuesFile,
    )
    const changed = printing.filter(
      ([expression, outcome]) => JSON.stringify(said.get(expression)) !== JSON.stringify(outcome),
    )
    expect(changed).toEqual([])
  })

  it('for some of what fails', async () => {
    const clients = await npmClients()
    const failing = all.filter(([, outcome]) => 'error' in outcome).filter((_, at) => at % 40 === 0)
    const said = await askHelm(
      clients!.helm,
      failing.map(([expression]) => expression),
      valuesFile,
    )
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(failing))
  })
})
