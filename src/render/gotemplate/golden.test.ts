import { describe, expect, it } from 'vitest'
import { caseFiles, type CaseResult, readCases, readExpected } from './testdata/case-file.ts'
import { runCase } from './testdata/run-case.ts'

// The expectations are what Go printed: scripts/generate-gotemplate-cases.ts.
describe.each(caseFiles)('%s.yaml', (file) => {
  const cases = readCases(file)
  const expected = readExpected(file)

  it('gives what Go gives, output and errors byte for byte', () => {
    expect(expected).toHaveLength(cases.length)
    const differences = cases.flatMap((one, index) => {
      const got = shown(runCase(one))
      const want = shown(expected[index] as CaseResult)
      return got === want ? [] : [{ templates: one.templates, missingKey: one.missingKey, got, want }]
    })
    expect(differences).toEqual([])
  })
})

function shown(result: CaseResult): string {
  return 'error' in result ? `error: ${result.error}` : Buffer.from(result.output, 'base64').toString('latin1')
}
