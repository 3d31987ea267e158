import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  caseDigest,
  forEachAtOnce,
  goldenCases,
  type GoldenRecord,
  type Original,
  recordFile,
  runOriginal,
  storedOutcome,
} from '../src/render/kustomize/testdata/oracle.ts'
import { noNpmClients, npmClients } from '../testbed/npm-clients.ts'
import { peer } from '../testbed/peers.ts'

// Writes expected.yaml or expected-error.txt of the golden cases from the real kubectl kustomize, and from the newer kustomize for
// the cases in which they differ (oracle-newer-cases.json); never edit those by hand. Arguments, where given, are beginnings of
// case names: only those are written.
const clients = await npmClients()
if (clients === undefined) throw new Error(noNpmClients)
const newer = await peer('kustomize')
const originals: Record<'kubectl' | 'newer', Original> = {
  kubectl: [clients.kubectl, 'kustomize'],
  newer: [newer.path, 'build'],
}
const wanted = process.argv.slice(2)
const all = goldenCases()
const cases = all.filter(({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)))
const digests = new Map<string, string>()

await forEachAtOnce(cases, 4, async ({ name, folder, path, mentions, original }) => {
  const outcome = await runOriginal(originals[original], folder, join('input', path))
  for (const missing of 'error' in outcome ? mentions.filter((word) => !outcome.error.includes(word)) : []) {
    console.error(`${name}: the original's error does not mention ${JSON.stringify(missing)}`)
    process.exitCode = 1
  }
  if (JSON.stringify(outcome) !== JSON.stringify(storedOutcome(folder))) {
    const [file, other] =
      'error' in outcome ? ['expected-error.txt', 'expected.yaml'] : ['expected.yaml', 'expected-error.txt']
    rmSync(join(folder, other), { force: true })
    writeFileSync(join(folder, file), 'error' in outcome ? outcome.error : outcome.yaml)
    console.log(`${name}: ${file}`)
  }
  digests.set(name, caseDigest(folder))
})

const before = wanted.length === 0 ? {} : (JSON.parse(readFileSync(recordFile, 'utf8')) as GoldenRecord).cases
const record: GoldenRecord = {
  originals: {
    kubectl: `kubectl kustomize of client package ${basename(dirname(clients.kubectl))}`,
    newer: `kustomize ${newer.version}`,
  },
  cases: Object.fromEntries(all.map(({ name }) => [name, digests.get(name) ?? before[name] ?? 'not run'])),
}
writeFileSync(recordFile, `${JSON.stringify(record, undefined, 2)}\n`)
