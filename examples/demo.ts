/**
 * What Lading does, on a sandbox: `npm run demo`. It needs nothing installed, takes seconds, and ends with an error when
 * anything is not as it says.
 */
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { styleText } from 'node:util'
import { eventLine } from '../src/cli/print-events.ts'
import { context, formatRef, isLadingError, type KubeObject, type LadingEvent, refOf } from '../src/core/index.ts'
import {
  applySet,
  type ApplySetOptions,
  type ApplySetResult,
  connect,
  deleteSet,
  type FieldConflict,
  patchObject,
  type WaitedObject,
  waitForReady,
} from '../src/kube/index.ts'
import { readManifest } from '../src/render/manifest/index.ts'
import { startSandbox } from '../src/sandbox/index.ts'

const started = performance.now()
const ctx = context({ signal: AbortSignal.timeout(60_000) })

step('A Kubernetes API of our own')
const sandbox = await startSandbox()
const cluster = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
say(`${sandbox.url} answers kubectl and helm too: KUBECONFIG=${sandbox.kubeconfig}`)

try {
  step('Read a manifest and apply it: CRDs and namespaces first, the rest side by side')
  const shop = await readManifest(fileURLToPath(new URL('shop', import.meta.url)), {}, ctx)
  const first = await apply(shop)
  assert.deepEqual(first.summary.created, shop.length)

  step('Wait until all of it runs, by watching')
  await ready(shop)

  step('Apply it again: proven unchanged, nothing written')
  const again = await apply(shop)
  assert.deepEqual(again.summary.unchanged, shop.length)

  step('Change an image and a setting: a dry run shows what would change')
  const changed = shop.map((object) => withNewVersion(object, '1.5.0'))
  const rehearsed = await apply(changed, { dryRun: true })
  assert.equal(rehearsed.summary.configured, 2)
  for (const { ref, object, live } of rehearsed.objects) {
    for (const line of differences(live, object)) say(`  ${formatRef(ref)} ${line}`)
  }

  step('Then do it')
  const second = await apply(changed)
  assert.equal(second.summary.configured, 2)
  await ready([find(changed, 'Deployment', 'web')])

  step('Somebody scales by hand, as kubectl scale does: a conflict is told as data, nothing is overwritten')
  const web = refOf(find(changed, 'Deployment', 'web'))
  const byHand = { type: 'merge', subresource: 'scale', fieldManager: 'kubectl-scale' } as const
  await patchObject(cluster, web, { spec: { replicas: 5 } }, byHand, ctx)
  const [conflict] = await conflictsOf(apply(changed))
  assert.equal(conflict?.path, '.spec.replicas')
  say(`  ${conflict.manager} owns ${conflict.path}: ours ${String(conflict.ours)}, theirs ${String(conflict.theirs)}`)

  step('A rule leaves that field to them, and everything else goes on')
  await apply(changed, { conflicts: [{ path: '.spec.replicas', take: 'theirs' }] })

  step('A version that cannot start: the wait fails at once, and says which pod and why')
  const broken = changed.map((object) => withSimulation(withNewVersion(object, '1.6.0-missing'), 'image-pull-error'))
  await apply(broken, { conflicts: [{ path: '.spec.replicas', take: 'theirs' }] })
  const [failed] = await failuresOf(ready([find(broken, 'Deployment', 'web')]))
  assert.match(failed?.message ?? '', /image|pull/i)
  for (const pod of failed?.pods?.slice(0, 1) ?? []) say(`  ${formatRef(pod.ref)}: ${pod.message}`)

  step('Back to the version that works')
  await apply(changed, { conflicts: 'force' })
  await ready([find(changed, 'Deployment', 'web')])

  step('Delete it all, in reverse, and wait until it is gone')
  const gone = await show(deleteSet(cluster, shop.map(refOf), {}, ctx))
  assert.equal(gone.summary.deleted, shop.length)
} finally {
  await cluster.transport.close()
  await sandbox.stop()
}
step(`Done in ${((performance.now() - started) / 1000).toFixed(1)} s`)

function apply(objects: readonly KubeObject[], options: ApplySetOptions = {}): Promise<ApplySetResult> {
  return show(applySet(cluster, objects, options, ctx))
}

async function ready(objects: readonly KubeObject[]): Promise<void> {
  await show(waitForReady(cluster, objects.map(refOf), { timeoutMs: 30_000, graceMs: 0 }, ctx))
}

/** Prints the events as the command line does, and gives what the operation returned. */
async function show<Result>(events: AsyncGenerator<LadingEvent, Result>): Promise<Result> {
  for (;;) {
    const next = await events.next()
    if (next.done === true) return next.value
    const line = eventLine(next.value, (text, colour) => styleText(colour, text))
    if (line !== undefined) say(line)
  }
}

async function conflictsOf(applied: Promise<unknown>): Promise<readonly FieldConflict[]> {
  const error = await refusal(applied, 'apply.failed')
  const [failure] = error.details['failures'] as { details: { conflicts: FieldConflict[] } }[]
  return failure?.details.conflicts ?? []
}

async function failuresOf(waited: Promise<unknown>): Promise<readonly WaitedObject[]> {
  const error = await refusal(waited, 'wait.failed')
  return error.details['objects'] as WaitedObject[]
}

async function refusal(running: Promise<unknown>, code: 'apply.failed' | 'wait.failed') {
  const error: unknown = await running.then(
    () => assert.fail(`expected ${code}`),
    (thrown: unknown) => thrown,
  )
  if (!isLadingError(error, code)) throw error
  return error
}

function withNewVersion(object: KubeObject, version: string): KubeObject {
  if (object.kind === 'ConfigMap') return { ...object, data: { greeting: `hello from ${version}`, currency: 'EUR' } }
  return object.kind === 'Deployment' ? edited(object, /shop:[\w.-]+/, `shop:${version}`) : object
}

/** Makes the sandbox's nodes treat the pods of a Deployment badly. */
function withSimulation(object: KubeObject, behaviour: string): KubeObject {
  if (object.kind !== 'Deployment') return object
  const labels = '"template":{"metadata":{'
  return edited(object, labels, `${labels}"annotations":{"lading.dev/simulate":"${behaviour}"},`)
}

function edited(object: KubeObject, pattern: RegExp | string, by: string): KubeObject {
  return JSON.parse(JSON.stringify(object).replace(pattern, by)) as KubeObject
}

function find(objects: readonly KubeObject[], kind: string, name: string): KubeObject {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name)
  assert.ok(found, `${kind} ${name}`)
  return found
}

/** The fields that differ, but for those that only the server writes. */
function differences(before: unknown, after: unknown, path = ''): string[] {
  if (/^\.(metadata|status)$/.test(path)) return []
  const fields = new Set([...keysOf(before), ...keysOf(after)])
  if (fields.size > 0)
    return [...fields].flatMap((key) => differences(at(before, key), at(after, key), `${path}.${key}`))
  return Object.is(before, after) ? [] : [`${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`]
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

function step(title: string): void {
  say(`\n${styleText('bold', title)}`)
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
