import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { checkRandomOverlays } from '../src/render/kustomize/testdata/check-random-overlays.ts'
import {
  forEachAtOnce,
  goldenCases,
  type GoldenRecord,
  type Original,
  type Outcome,
  recordFile,
  runOriginal,
  storedOutcome,
} from '../src/render/kustomize/testdata/oracle.ts'
import { type Peer, peer } from '../testbed/peers.ts'

let newer: Peer
let original: Original

beforeAll(async () => {
  newer = await peer('kustomize')
  original = [newer.path, 'build']
})

test('every golden case is what the newer kustomize makes of it', { timeout: 300_000 }, async () => {
  const { originals } = JSON.parse(readFileSync(recordFile, 'utf8')) as GoldenRecord
  expect(originals.newer).toContain(newer.version)
  const differing = await forEachAtOnce(goldenCases(), 2, async ({ name, folder, path, mentions }) => {
    const outcome = await runOriginal(original, folder, join('input', path))
    return isSame(outcome, storedOutcome(folder), mentions) ? [] : [name]
  })
  expect(differing.flat()).toEqual([])
})

test('random overlays over random bases build as with the newer kustomize', { timeout: 300_000 }, async () => {
  const runs = Number(process.env['LADING_KUSTOMIZE_RUNS'] ?? 200)
  const { built, sameBytes } = await checkRandomOverlays(original, runs)
  console.log(`kustomize ${newer.version}: ${sameBytes} of ${built} random overlays equal to the byte`)
  expect(built).toBeGreaterThan(runs / 2)
})

// The two word their errors each in their own way: both refuse, and both name what the case is about.
function isSame(outcome: Outcome, stored: Outcome | undefined, mentions: readonly string[]): boolean {
  if (stored !== undefined && 'error' in stored && 'error' in outcome) {
    return mentions.every((word) => outcome.error.includes(word))
  }
  return isDeepStrictEqual(outcome, stored)
}
