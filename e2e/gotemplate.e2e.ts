import fc from '../testing/fast-check.ts'
import { describe, expect, it } from 'vitest'
import {
  caseFiles,
  type CaseResult,
  readCases,
  readExpected,
  type TemplateCase,
} from '../src/render/gotemplate/testdata/case-file.ts'
import { randomCase, randomFormat } from '../src/render/gotemplate/testdata/random-template.ts'
import { runCase } from '../src/render/gotemplate/testdata/run-case.ts'
import { executeWithGo } from '../testbed/go-template.ts'

describe('templates, executed by Lading and by Go', () => {
  it.each(caseFiles)('%s.yaml: what is recorded is what Go prints', async (file) => {
    expect(await executeWithGo(readCases(file))).toEqual(readExpected(file))
  })

  it.each([
    ['templates', randomCase],
    ['formats', randomFormat],
  ])('random %s give the same output or the same error', async (_, arbitrary) => {
    const seed = Number(process.env['LADING_SEED'] ?? Date.now() % 1_000_000)
    const cases = fc.sample<TemplateCase>(arbitrary, { numRuns: 3000, seed })
    const byGo = await executeWithGo(cases)
    const differences = cases.flatMap((one, index) => {
      const got = shown(runCase(one))
      const want = shown(byGo[index] as CaseResult)
      return got === want ? [] : [{ templates: one.templates, missingKey: one.missingKey, got, want }]
    })
    expect(differences, `LADING_SEED=${seed}`).toEqual([])
  })
})

function shown(result: CaseResult): string {
  return 'error' in result ? `error: ${result.error}` : Buffer.from(result.output, 'base64').toString('latin1')
}
