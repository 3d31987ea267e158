import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../testbed/npm-clients.ts'
import { compareBuild } from './testdata/compare.ts'
import { runOriginal } from './testdata/oracle.ts'
import { randomTree, type RandomTree } from './testdata/random-overlay.ts'

const reason = noNpmClients === undefined ? '' : ` (${noNpmClients})`
const runs = Number(process.env['LADING_KUSTOMIZE_RUNS'] ?? 40)
const seed = Number(process.env['LADING_KUSTOMIZE_SEED'] ?? 6)

describe.skipIf(noNpmClients !== undefined)(`random overlays over random bases${reason}`, () => {
  let scratch = ''
  let kubectl = ''
  let built = 0
  let sameBytes = 0

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'lading-overlays-'))
    kubectl = (await npmClients())?.kubectl ?? ''
  })

  afterAll(async () => rm(scratch, { recursive: true, force: true }))

  it('build as with the original', { timeout: 30_000 + runs * 1000 }, async () => {
    const property = fc.asyncProperty(randomTree(), async (tree) => {
      const folder = await writeTree(scratch, tree)
      try {
        const expected = await runOriginal(kubectl, folder, 'top')
        if ('yaml' in expected) built += 1
        const comparison = compareBuild(folder, 'top', expected)
        if (comparison.sameBytes) sameBytes += 1
        expect(comparison.difference).toBeUndefined()
      } finally {
        await rm(folder, { recursive: true })
      }
    })
    await fc.assert(property, {
      numRuns: runs,
      seed,
      endOnFailure: process.env['LADING_KUSTOMIZE_SHRINK'] === undefined,
    })
    console.log(`kustomize: ${sameBytes} of ${built} random overlays equal to the byte`)
    // Were most of them refused, agreement would say little.
    expect(built).toBeGreaterThan(runs / 2)
  })
})

async function writeTree(scratch: string, tree: RandomTree): Promise<string> {
  const folder = await mkdtemp(join(scratch, 'tree-'))
  for (const [path, text] of Object.entries(tree)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}
