import { expect, test } from 'vitest'
import { context, LadingError } from '../../core/index.ts'
import { runStoppable } from '../stoppable/index.ts'
import { loadChart } from './chart/load-chart.ts'
import { caseOptions, chartCases } from './testdata/chart-case.ts'
import { type CorpusChart, corpusJob, type CorpusResult } from './testdata/corpus-job.ts'

test('every chart of the corpus renders in a worker to what it renders to here, or fails with the same error', async () => {
  const cases = [
    ...chartCases().flatMap((each) =>
      loaded(
        () => loadChart(each.files),
        () => caseOptions(each),
      ),
    ),
    random(),
  ]
  const [here, there] = [await results(cases, Infinity), await results(cases, 0)]
  expect(here.length).toBeGreaterThan(150)
  expect(here.some((result) => 'error' in result)).toBe(true)
  for (const [at, result] of there.entries()) expect(shown(result)).toEqual(shown(here[at]))
})

function results(cases: readonly CorpusChart[], inlineMs: number): Promise<CorpusResult[]> {
  if (inlineMs > 0) return corpusJob.prepare(cases).then((run) => run())
  return runStoppable(corpusJob, cases, context(), { inlineMs })
}

function loaded(chart: () => CorpusChart['chart'], options: () => CorpusChart['options']): CorpusChart[] {
  try {
    return [{ chart: chart(), options: options() }]
  } catch (error) {
    if (error instanceof LadingError) return []
    throw error
  }
}

function random(): CorpusChart {
  const files = new Map([
    ['Chart.yaml', 'apiVersion: v2\nname: random\nversion: 1.0.0\n'],
    [
      'templates/a.yaml',
      'a: {{ randAlphaNum 20 }}\nb: {{ uuidv4 }}\nc: {{ bcrypt "x" }}\nd: {{ genPrivateKey "ecdsa" | quote }}\n' +
        'e: {{ (genCA "ca" 10).Cert | quote }}\nf: {{ shuffle "abcdefgh" }}\ng: {{ now | unixEpoch }}\n',
    ],
  ])
  const chart = loadChart(new Map([...files].map(([name, text]) => [name, Buffer.from(text)])))
  return { chart, options: { release: { name: 'random' } } }
}

function shown(value: unknown): unknown {
  if (value instanceof Error) {
    const { name, message, cause } = value
    return { name, message, cause: shown(cause), ...(value instanceof LadingError && value.toJSON()) }
  }
  if (typeof value === 'object' && value !== null && 'error' in value) return { error: shown(value.error) }
  if (typeof value !== 'object' || value === null || !('crds' in value)) return value
  const crds = (value.crds as { name: string; data: Uint8Array }[]).map(({ name, data }) => [name, [...data]])
  return { ...value, crds }
}
