// Lading as a program that reads a manifest and applies or deletes it; prints how many objects had each outcome.
import { parseArgs } from 'node:util'
import type * as core from '../../src/core/index.ts'
import type * as kube from '../../src/kube/index.ts'
import type * as manifests from '../../src/render/manifest/index.ts'

const { values } = parseArgs({
  options: {
    installed: { type: 'string', default: '' },
    kubeconfig: { type: 'string', default: '' },
    'cache-dir': { type: 'string', default: '' },
    manifest: { type: 'string', default: '' },
    namespace: { type: 'string', default: '' },
    verb: { type: 'string', default: 'apply' },
    'no-preflight': { type: 'boolean', default: false },
  },
})
const { installed, kubeconfig, 'cache-dir': discoveryCacheDir, manifest, namespace, verb } = values

// The built package, as users have it; only its types come from the source.
const { context, refOf } = (await import(`${installed}/dist/core.js`)) as typeof core
const { applySet, connect, deleteSet } = (await import(`${installed}/dist/kube.js`)) as typeof kube
const { readManifest } = (await import(`${installed}/dist/manifest.js`)) as typeof manifests

const ctx = context()
const cluster = await connect({ kubeconfig, discoveryCacheDir }, ctx)
const objects = await readManifest(manifest, {}, ctx)
const work =
  verb === 'delete'
    ? deleteSet(
        cluster,
        objects.map((object) => ({ ...refOf(object), namespace })),
        {},
        ctx,
      )
    : applySet(cluster, objects, { namespace, dryRun: verb === 'dry-run', preflight: !values['no-preflight'] }, ctx)
let step = await work.next()
while (step.done !== true) step = await work.next()
process.stdout.write(JSON.stringify(step.value.summary))
await cluster.close()
