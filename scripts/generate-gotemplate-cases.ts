// Writes src/render/gotemplate/testdata/*.expected.json, what Go's text/template makes of each case:
// `node scripts/generate-gotemplate-cases.ts`. A rerun gives no diff.
import { writeFileSync } from 'node:fs'
import { caseFiles, pathOf, readCases } from '../src/render/gotemplate/testdata/case-file.ts'
import { executeWithGo } from '../testbed/go-template.ts'

for (const name of caseFiles) {
  const cases = readCases(name)
  const lines = (await executeWithGo(cases)).map((result) => JSON.stringify(result))
  writeFileSync(pathOf(`${name}.expected.json`), `[\n${lines.join(',\n')}\n]\n`)
  console.log(`${name}: ${lines.length} cases`)
}
