import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { caseFiles, expectedFile, valuesFile } from '../src/render/helm/functions/testdata/function-cases.ts'
import { askHelm } from '../src/render/helm/functions/testdata/helm-oracle.ts'
import { npmClients } from '../testbed/npm-clients.ts'

// Writes what the real helm makes of every expression: node scripts/generate-helm-function-cases.ts [family…]
const clients = await npmClients()
if (clients === undefined) throw new Error('the real helm comes for linux-x64 only')
const wanted = process.argv.slice(2)
for (const { family, expressions } of caseFiles()) {
  if (wanted.length > 0 && !wanted.includes(family)) continue
  const outcomes = await askHelm(clients.helm, expressions, valuesFile)
  const rows = expressions.map((expression) => [expression, outcomes.get(expression)] as const)
  const lines = rows.map(([expression, outcome]) => `  ${JSON.stringify(expression)}: ${JSON.stringify(outcome)}`)
  await mkdir(dirname(expectedFile(family)), { recursive: true })
  await writeFile(expectedFile(family), `{\n${lines.join(',\n')}\n}\n`)
  console.log(
    `${family}: ${expressions.length} expressions, ${rows.filter(([, row]) => row !== undefined && 'error' in row).length} errors`,
  )
}
