import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../testbed/npm-clients.ts'
import knownDifferences from './testdata/known-differences.json' with { type: 'json' }
import { chartCases, expectedOutcome, renderCase, unfoldCase } from './testdata/chart-case.ts'
import { compareOutcomes, errorPlace, type Outcome } from './testdata/compare-output.ts'
import { runHelm } from './testdata/run-helm.ts'

const cases = chartCases()
const known: Readonly<Record<string, string>> = knownDifferences

describe('a chart renders as the real helm renders it', () => {
  const tally = { rendered: 0, sameBytes: 0, failed: 0, sameError: 0 }

  for (const each of cases) {
    const reason = known[each.name]
    it(reason === undefined ? each.name : `${each.name}, but for a known difference: ${reason}`, () => {
      const ours = renderCase(each)
      const theirs = expectedOutcome(each.name) ?? { error: 'nothing yet: run scripts/generate-helm-cases.ts' }
      count(ours, theirs)
      const stale = difference(ours, theirs) === undefined ? 'agrees now: take it off the known differences' : undefined
      expect(reason === undefined ? difference(ours, theirs) : stale).toBeUndefined()
    })
  }

  function count(ours: Outcome, theirs: Outcome): void {
    const likeness = compareOutcomes(ours, theirs)
    if ('text' in theirs) tally.rendered++
    else tally.failed++
    if (likeness === 'same-bytes') tally.sameBytes++
    if (likeness === 'same-error') tally.sameError++
  }

  it('with no known difference of a case that is not there', () => {
    const names = new Set(cases.map(({ name }) => name))
    expect(Object.keys(known).filter((name) => !names.has(name))).toEqual([])
  })

  afterAll(() => {
    console.log(
      `helm: ${tally.sameBytes} of ${tally.rendered} equal to the byte, ${tally.sameError} of ${tally.failed} errors equal word by word`,
    )
  })
})

// Text has to be the same to the byte, an error has to be at the same place: words of other libraries are not repeated.
function difference(ours: Outcome, theirs: Outcome): string | undefined {
  if ('error' in ours && 'error' in theirs) {
    const places = [errorPlace(ours.error), errorPlace(theirs.error)]
    return places[0] === places[1] ? undefined : `${places[0]} instead of ${places[1]}`
  }
  if ('text' in ours && 'text' in theirs && ours.text === theirs.text) return undefined
  return `${JSON.stringify(ours)}\n\ninstead of\n\n${JSON.stringify(theirs)}`
}

describe.skipIf(noNpmClients !== undefined)('the expectations', () => {
  it('are what helm prints today', async () => {
    const clients = await npmClients()
    if (clients === undefined) return
    // A share of them each time; all of them with LADING_HELM_CASES=all.
    const share = process.env['LADING_HELM_CASES'] === 'all' ? 1 : 16
    for (const each of cases.filter((_, index) => index % share === 0)) {
      const folder = await mkdtemp(join(tmpdir(), 'lading-case-'))
      try {
        const outcome = await runHelm(clients.helm, await unfoldCase(each, folder), folder)
        const expected = expectedOutcome(each.name)!
        expect([each.name, difference(outcome, expected)]).toEqual([each.name, undefined])
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    }
  })
})
