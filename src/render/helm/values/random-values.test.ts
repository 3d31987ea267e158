import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from '../../../../testing/fast-check.ts'
import { expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../../testbed/npm-clients.ts'
import { type ChartCase, renderCase, unfoldCase } from '../testdata/chart-case.ts'
import { runHelm } from '../testdata/run-helm.ts'

// Few names, so that layers meet; null is the value that matters most.
const leaf = fc.oneof(
  fc.constant(null),
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -5, max: 20_000_000 }),
  fc.constantFrom('', 'text', 'true', '1e3'),
  fc.array(fc.constantFrom(null, 1, 'x', { k: null }), { maxLength: 2 }),
)
const key = fc.constantFrom('a', 'b', 'c')
const { tree } = fc.letrec<{ tree: Record<string, unknown>; node: unknown }>((tie) => ({
  node: fc.oneof({ depthSize: 'small', maxDepth: 3 }, leaf, tie('tree')),
  tree: fc.dictionary(key, tie('node'), { maxKeys: 3 }),
}))
const globals = fc.option(tree, { nil: undefined })

/** Values of one subchart and of the chart in it, as each of four layers gives them. */
const layers = fc.record({
  deep: tree,
  own: tree,
  ownGlobal: globals,
  ownForDeep: fc.option(tree, { nil: undefined }),
  parent: fc.option(tree, { nil: undefined }),
  parentForDeep: fc.option(tree, { nil: undefined }),
  user: fc.option(tree, { nil: undefined }),
  userForDeep: fc.option(tree, { nil: undefined }),
})

it.skipIf(noNpmClients !== undefined)(
  'random values in layers end up as helm lays them',
  async () => {
    const clients = await npmClients()
    if (clients === undefined) return
    // One chart with many subcharts: one run of helm answers for all of them. LADING_HELM_SEED tries others.
    const seed = Number(process.env['LADING_HELM_SEED'] ?? 20_261_115)
    const [samples, [top, user]] = [fc.sample(layers, { seed, numRuns: 80 }), fc.sample(globals, { seed, numRuns: 2 })]
    const each = umbrella(samples, top, user)
    const folder = await mkdtemp(join(tmpdir(), 'lading-random-'))
    try {
      expect(renderCase(each)).toEqual(await runHelm(clients.helm, await unfoldCase(each, folder), folder))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
  60_000,
)

type Layers = typeof layers extends fc.Arbitrary<infer Value> ? Value : never
type Tree = Record<string, unknown> | undefined

function umbrella(samples: readonly Layers[], topGlobal: Tree, userGlobal: Tree): ChartCase {
  const files = new Map<string, Uint8Array>()
  const add = (path: string, content: unknown) =>
    files.set(path, Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)))
  const parent = withGlobal({}, topGlobal)
  const user = withGlobal({}, userGlobal)
  add(
    'Chart.yaml',
    chartYaml(
      'top',
      [...samples.keys()].map((at) => `s${at}`),
    ),
  )
  for (const [at, sample] of samples.entries()) {
    const name = `s${at}`
    add(`charts/${name}/Chart.yaml`, chartYaml(name, ['deep']))
    add(`charts/${name}/values.yaml`, withDeep(withGlobal(sample.own, sample.ownGlobal), sample.ownForDeep))
    add(`charts/${name}/templates/show.yaml`, show)
    add(`charts/${name}/charts/deep/Chart.yaml`, chartYaml('deep'))
    add(`charts/${name}/charts/deep/values.yaml`, sample.deep)
    add(`charts/${name}/charts/deep/templates/show.yaml`, show)
    if (sample.parent !== undefined) parent[name] = withDeep(sample.parent, sample.parentForDeep)
    if (sample.user !== undefined) user[name] = withDeep(sample.user, sample.userForDeep)
  }
  add('values.yaml', parent)
  add('templates/show.yaml', show)
  const valuesFiles = new Map([['user.yaml', JSON.stringify(user)]])
  return { name: 'random', run: { values: ['user.yaml'] }, files: files, valuesFiles }
}

const show = 'kind: ConfigMap\ndata: {{ .Values | toJson | quote }}\nyaml:{{ toYaml .Values | nindent 2 }}\n'

// Listed, as Helm takes those that are not in any order, and globals that charts share come out by that order.
function chartYaml(name: string, dependencies: readonly string[] = []): Record<string, unknown> {
  const rows = dependencies.map((each) => ({ name: each, version: '1.0.0', repository: '' }))
  return { apiVersion: 'v2', name, version: '1.0.0', dependencies: rows }
}

function withGlobal(values: Record<string, unknown>, global: Tree): Record<string, unknown> {
  return global === undefined ? { ...values } : { ...values, global }
}

function withDeep(values: Record<string, unknown>, deep: Tree): Record<string, unknown> {
  return deep === undefined ? { ...values } : { ...values, deep }
}
