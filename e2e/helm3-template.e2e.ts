import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { chartCases, renderCase, unfoldCase } from '../src/render/helm/testdata/chart-case.ts'
import { compareOutcomes } from '../src/render/helm/testdata/compare-output.ts'
import { runHelm } from '../src/render/helm/testdata/run-helm.ts'
import { peer } from '../testbed/peers.ts'
import differences from './helm3-differences.json' with { type: 'json' }

// Lading renders as Helm 4 does. Where Helm 3 does it otherwise, the reason stands here, and an entry that is no longer true fails.
const known: Readonly<Record<string, string>> = differences
let helm3: string

beforeAll(async () => {
  helm3 = (await peer('helm3')).path
})

test('charts render as with Helm 3, but for what Helm 4 changed', { timeout: 300_000 }, async () => {
  const different: string[] = []
  for (const each of chartCases()) {
    const folder = await mkdtemp(join(tmpdir(), 'lading-case-'))
    try {
      const theirs = await runHelm(helm3, await unfoldCase(each, folder), folder)
      if (compareOutcomes(renderCase(each), theirs) === 'different') different.push(each.name)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  expect(different.sort()).toEqual(Object.keys(known).sort())
})
