import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { writeFiles } from '../../../../testing/write-files.ts'
import { compareBuild } from './compare.ts'
import { type Original, runOriginal } from './oracle.ts'
import { randomTree, type RandomTree } from './random-overlay.ts'

/** How many random trees were built by the original, and how many of them ours wrote to the byte. */
export interface RandomRun {
  readonly built: number
  readonly sameBytes: number
}

/** Holds our builds of random overlays against an original's; fails at the first that differs. */
export async function checkRandomOverlays(original: Original, runs: number): Promise<RandomRun> {
  const scratch = await mkdtemp(join(tmpdir(), 'lading-overlays-'))
  const count = { built: 0, sameBytes: 0 }
  const property = fc.asyncProperty(randomTree(), async (tree) => {
    const folder = await writeTree(scratch, tree)
    try {
      const expected = await runOriginal(original, folder, 'top')
      const comparison = compareBuild(folder, 'top', expected)
      count.built += 'yaml' in expected ? 1 : 0
      count.sameBytes += comparison.sameBytes ? 1 : 0
      expect(comparison.difference).toBeUndefined()
    } finally {
      await rm(folder, { recursive: true })
    }
  })
  try {
    await fc.assert(property, {
      numRuns: runs,
      seed: Number(process.env['LADING_KUSTOMIZE_SEED'] ?? 6),
      endOnFailure: process.env['LADING_KUSTOMIZE_SHRINK'] === undefined,
    })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  return count
}

async function writeTree(scratch: string, tree: RandomTree): Promise<string> {
  return writeFiles(await mkdtemp(join(scratch, 'tree-')), tree)
}
