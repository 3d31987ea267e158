import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chartCases, expectedPath, unfoldCase } from '../src/render/helm/testdata/chart-case.ts'
import { runHelm } from '../src/render/helm/testdata/run-helm.ts'
import { npmClients } from '../testbed/npm-clients.ts'

// Writes what the real helm makes of every case beside it: `node scripts/generate-helm-cases.ts [TEXT]`.
const clients = await npmClients()
if (clients === undefined) throw new Error('there is no helm for this machine')
const only = process.argv[2] ?? ''
for (const each of chartCases().filter(({ name }) => name.includes(only))) {
  const folder = await mkdtemp(join(tmpdir(), 'lading-case-'))
  try {
    const outcome = await runHelm(clients.helm, await unfoldCase(each, folder), folder)
    await rm(expectedPath(each.name, 'yaml'), { force: true })
    await rm(expectedPath(each.name, 'err'), { force: true })
    if ('text' in outcome) await writeFile(expectedPath(each.name, 'yaml'), outcome.text)
    // Where the chart lay is no part of the expectation.
    else await writeFile(expectedPath(each.name, 'err'), outcome.error.replaceAll(`${folder}/`, ''))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
