// Lading as a program that installs, upgrades, plans, compares, uninstalls or lists releases; prints what came of it, and how long the work itself took.
import { parseArgs } from 'node:util'
import type * as core from '../../src/core/index.ts'
import type * as kube from '../../src/kube/index.ts'
import type * as releases from '../../src/release/index.ts'
import { type Sample, timed } from '../measure/sample.ts'

const { values } = parseArgs({
  options: {
    installed: { type: 'string', default: '' },
    kubeconfig: { type: 'string', default: '' },
    'cache-dir': { type: 'string', default: '' },
    manifest: { type: 'string', default: '' },
    namespace: { type: 'string', default: '' },
    driver: { type: 'string', default: 'secrets' },
    verb: { type: 'string', default: 'install' },
  },
})
const { installed, kubeconfig, 'cache-dir': discoveryCacheDir, manifest, namespace, verb } = values

// The built package, as users have it; only its types come from the source.
const { context } = (await import(`${installed}/dist/core.js`)) as typeof core
const { connect } = (await import(`${installed}/dist/kube.js`)) as typeof kube
const { createStore, diffRelease, install, planUpgrade, renderContent, uninstall, upgrade } = (await import(
  `${installed}/dist/release.js`
)) as typeof releases

const ctx = context()
const cluster = await connect({ kubeconfig, discoveryCacheDir }, ctx)
const store = createStore({ driver: values.driver as 'secrets' | 'helm' }, cluster)
const engine = { cluster, store }
const release = { name: 'bench', namespace }
let spent: Sample | undefined
const said = await run()
process.stdout.write(JSON.stringify({ ...said, ...spent }))
await cluster.close()

async function run(): Promise<Record<string, unknown>> {
  if (verb === 'list') return { releases: (await store.list(namespace, ctx)).length }
  if (verb === 'uninstall') {
    const { objects } = await finish(uninstall(engine, release, {}, ctx))
    return { outcome: 'uninstalled', ...count(objects) }
  }
  const content = await renderContent(store, release, { source: manifest }, {}, ctx)
  if (verb === 'diff') {
    const { different, objects } = await finish(diffRelease(engine, content, {}, ctx))
    const outcome = different ? 'different' : 'same'
    return { outcome, ...count(objects.map(({ change }) => ({ action: change }))) }
  }
  if (verb === 'plan')
    return { outcome: 'planned', ...count((await finish(planUpgrade(engine, content, {}, ctx))).actions) }
  const work = verb === 'install' ? install(engine, content, {}, ctx) : upgrade(engine, content, {}, ctx)
  const { outcome, plan } = await finish(work)
  return { outcome, ...count(plan.actions) }
}

function count(objects: readonly { readonly action: string }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { action } of objects) counts[action] = (counts[action] ?? 0) + 1
  return counts
}

/** Runs an operation to its end, and notes what it took without the start of the program and the reading of the source. */
async function finish<T>(work: AsyncGenerator<unknown, T>): Promise<T> {
  let step: IteratorResult<unknown, T> | undefined
  spent = await timed(async () => {
    step = await work.next()
    while (step.done !== true) step = await work.next()
  })
  return step?.value as T
}
