import fc from '../testing/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { isLadingError } from '../src/core/index.ts'
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
    const cases = fc.sample<TemplateCase>(arbitrary, 3000)
    const byGo = await executeWithGo(cases)
    const differences = cases.flatMap((one, index) => {
      const got = shown(runUnlessEndless(one))
      const want = shown(byGo[index] as CaseResult)
      return got === want ? [] : [{ templates: one.templates, missingKey: one.missingKey, got, want }]
    })
    expect(differences).toEqual([])
  })
})

// A template that calls itself for ever is stopped by both, each at a depth of its own.
const endless = 'error: exceeded maximum template depth'

function runUnlessEndless(one: TemplateCase): CaseResult {
  try {
    return runCase(one)
  } catch (error) {
    if (isLadingError(error, 'template.limit')) return { error: endless }
    throw error
  }
}

function shown(result: CaseResult): string {
  if (!('error' in result)) return Buffer.from(result.output, 'base64').toString('latin1')
  return result.error.includes('exceeded maximum template depth') ? endless : `error: ${result.error}`
}
