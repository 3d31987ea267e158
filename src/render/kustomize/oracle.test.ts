import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../testbed/npm-clients.ts'
import { compareBuild } from './testdata/compare.ts'
import {
  caseDigest,
  forEachAtOnce,
  goldenCases,
  type GoldenRecord,
  recordFile,
  runOriginal,
  storedOutcome,
} from './testdata/oracle.ts'
import newerCases from './oracle-newer-cases.json' with { type: 'json' }
import knownDifferences from './oracle-known-differences.json' with { type: 'json' }

const cases = goldenCases()
const record = JSON.parse(readFileSync(recordFile, 'utf8')) as GoldenRecord
const reason = noNpmClients === undefined ? '' : ` (${noNpmClients})`
const known: Readonly<Record<string, string>> = knownDifferences

describe('the golden cases of kustomize', () => {
  it('are as the original left them; scripts/kustomize-goldens.ts writes them anew', () => {
    expect(Object.fromEntries(cases.map(({ name, folder }) => [name, caseDigest(folder)]))).toEqual(record.cases)
  })

  it.skipIf(noNpmClients !== undefined)(`are what the original builds today${reason}`, async () => {
    const clients = await npmClients()
    if (clients === undefined) return
    expect(record.originals.kubectl).toContain(basename(dirname(clients.kubectl)))
    // The digests hold all of them to the last run; a share asked again each time shows that the run itself still holds.
    const share = process.env['LADING_KUSTOMIZE_GOLDENS'] === 'all' ? 1 : 12
    const asked = cases.filter(({ original }, index) => original === 'kubectl' && index % share === 0)
    const outcomes = await forEachAtOnce(asked, 4, async ({ name, folder, path }) => {
      return [name, await runOriginal([clients.kubectl, 'kustomize'], folder, join('input', path))] as const
    })
    expect(Object.fromEntries(outcomes)).toEqual(
      Object.fromEntries(asked.map(({ name, folder }) => [name, storedOutcome(folder)])),
    )
  })

  it.skipIf(noNpmClients !== undefined)(`are of a newer original only where this one differs${reason}`, async () => {
    const clients = await npmClients()
    if (clients === undefined) return
    const newer = cases.filter(({ original }) => original === 'newer')
    const same = await forEachAtOnce(newer, 4, async ({ name, folder, path }) => {
      const [older, stored] = [
        await runOriginal([clients.kubectl, 'kustomize'], folder, join('input', path)),
        storedOutcome(folder),
      ]
      if (stored === undefined || 'error' in older !== 'error' in stored) return []
      return 'error' in older || isDeepStrictEqual(older, stored) ? [name] : []
    })
    expect(newer.map(({ name }) => name)).toEqual(Object.keys(newerCases))
    expect(same.flat()).toEqual([])
  })
})

describe('our kustomize makes what the original makes', () => {
  const built = { all: 0, sameBytes: 0 }

  for (const { name, folder, path, mentions } of cases) {
    const difference = known[name]
    it(difference === undefined ? name : `${name}, but for a known difference: ${difference}`, () => {
      const expected = storedOutcome(folder) ?? { error: 'nothing yet: run scripts/kustomize-goldens.ts' }
      const comparison = compareBuild(join(folder, 'input'), path, expected, mentions)
      built.all += 'yaml' in expected ? 1 : 0
      built.sameBytes += comparison.sameBytes ? 1 : 0
      const stale = comparison.difference === undefined ? 'agrees now: take it off the known differences' : undefined
      expect(difference === undefined ? comparison.difference : stale).toBeUndefined()
    })
  }

  it('with no known difference of a case that is not there', () => {
    expect(Object.keys(known).filter((name) => !existsSync(join(dirname(recordFile), 'cases', name)))).toEqual([])
  })

  afterAll(() => {
    const percent = ((100 * built.sameBytes) / Math.max(built.all, 1)).toFixed(1)
    console.log(`kustomize: ${built.sameBytes} of ${built.all} builds equal to the byte (${percent} %)`)
  })
})
