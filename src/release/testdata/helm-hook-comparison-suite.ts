import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../testbed/npm-clients.ts'
import { context, isRecord, type KubeObject } from '../../core/index.ts'
import { createObject, deleteObject, listObjects, type ObjectList, watchObjects } from '../../kube/index.ts'
import type { DeployOptions } from '../deploy-options.ts'
import type { ReleaseEngine } from '../engine.ts'
import { install, upgrade } from '../run/operations.ts'
import { renderContent } from '../source/render-content.ts'
import { createStore } from '../storage/create-store.ts'
import { testRelease } from '../run/test-release.ts'
import { uninstall } from '../run/uninstall.ts'
import type { CrashTarget } from './crash-suite.ts'
import { type HelmClient, openHelm } from './helm-client.ts'
import { finish } from './sandbox-releases.ts'

const ctx = context()

/**
 * Charts with hooks that need each other, run by Lading and by the real helm: objects are created and deleted in the same order, the same of
 * them remain, and the hooks are on record alike, whether or not one of them fails.
 */
export function helmHookComparisonSuite(name: string, open: () => Promise<CrashTarget>): void {
  const reason = noNpmClients === undefined ? '' : ` (${noNpmClients})`
  describe.skipIf(noNpmClients !== undefined)(`hooks of helm and Lading on ${name}${reason}`, () => {
    let target: CrashTarget
    let helm: HelmClient
    let engine: ReleaseEngine
    const unique = `hooks-${process.pid.toString(36)}${Date.now().toString(36)}`
    const made: string[] = []

    beforeAll(async () => {
      target = await open()
      helm = await openHelm((await npmClients())?.helm ?? '', target.kubeconfig)
      engine = { cluster: target.cluster, store: createStore({ driver: 'helm' }, target.cluster) }
    })
    afterAll(async () => {
      const ref = { group: '', version: 'v1', kind: 'Namespace' }
      for (const each of made) await deleteObject(target.cluster, { ...ref, name: each }, { wait: false }, ctx)
      await helm.close()
      await target.close()
    })

    it('are deleted after the whole phase, the last one first', async () => {
      const { ours, theirs } = await both(chartOf('pre-install', {}), ['install'])
      expect(ours).toEqual(theirs)
      expect(ours.story).toEqual([
        'added ServiceAccount account',
        'added ConfigMap role',
        'added Job create',
        'ended Job create',
        'deleted Job create',
        'deleted ConfigMap role',
        'deleted ServiceAccount account',
        'added ConfigMap settings',
      ])
    }, 120_000)

    it.each([
      ['one with hook-failed goes', 'hook-failed', []],
      ['one without hook-failed stays', 'hook-succeeded', ['Job create']],
    ])('are deleted after a later one failed: %s', async (_, policy, remaining) => {
      const { ours, theirs } = await both(chartOf('pre-install', { policy, simulate: 'job-fail' }), ['install'])
      expect([ours.left, ours.records]).toEqual([theirs.left, theirs.records])
      expect(ours.story.toSorted()).toEqual(theirs.story.toSorted())
      expect(ours.left).toEqual(remaining)
      expect(ours.records).toEqual([['account', 'Succeeded'], ['role', 'Succeeded'], ['create', 'Failed']])
    }, 120_000)

    it('that an earlier run left are deleted first, each before it runs again', async () => {
      const chart = chartOf('post-install,post-upgrade', { policy: 'before-hook-creation' })
      const { ours, theirs } = await both(chart, ['install', 'upgrade'])
      expect(ours).toEqual(theirs)
      expect(ours.story).toContain('deleted Job create')
    }, 120_000)

    it('of tests and of the uninstall are deleted after their phase too', async () => {
      const { ours, theirs } = await both(chartOf('test,pre-delete', {}), ['install', 'test', 'uninstall'])
      expect([ours.story, ours.left]).toEqual([theirs.story, theirs.left])
      expect(ours.story.filter((line) => line === 'deleted ServiceAccount account')).toHaveLength(2)
    }, 120_000)

    it.each([
      ['are not waited for with --wait alone', 'simulate: hang', 'simulate-delay: 1ms', ['--wait'], 'deployed'],
      ['are waited for with --wait-for-jobs', 'simulate: hang', 'simulate-delay: 1ms', ['--wait', '--wait-for-jobs', '--timeout', '5s'], 'failed'],
      ['fail the operation when they fail while it waits for others', 'simulate: job-fail', 'simulate-delay: 3s', ['--wait'], 'failed'],
    ])('and plain Jobs: they %s', async (_, job, pod, flags, status) => {
      const chart = await helm.chart(`chart-${made.length}`, plainJob(job, pod))
      const statusOf = async (namespace: string) => (await engine.store.history('shop', namespace, ctx)).at(-1)?.status
      const [ours, theirs] = [await makeNamespace('ours'), await makeNamespace('real')]
      const timeout = flags.includes('--timeout') ? { timeoutMs: 5_000 } : {}
      const options = { wait: true, waitForJobs: flags.includes('--wait-for-jobs'), ...timeout }
      await byLading(ours, chart, 'install', options).catch(() => undefined)
      await helm.run(theirs, 'install', 'shop', chart, '--set', 'value=1', ...flags).catch(() => undefined)
      expect([await statusOf(ours), await statusOf(theirs)]).toEqual([status, status])
    }, 120_000)

    async function makeNamespace(side: string): Promise<string> {
      const namespace = `${unique}-${made.length + 1}-${side}`
      made.push(namespace)
      const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
      await createObject(target.cluster, object, {}, ctx)
      return namespace
    }

    async function both(templates: Record<string, string>, steps: readonly Step[]) {
      const chart = await helm.chart(`chart-${made.length}`, templates)
      const ours = await observe('ours', async (namespace) => {
        for (const step of steps) await byLading(namespace, chart, step)
      })
      const theirs = await observe('real', async (namespace) => {
        for (const step of steps) await byHelm(namespace, chart, step)
      })
      return { ours, theirs }
    }

    /** What happens to hooks and objects in a namespace while something is done in it, and what remains then. */
    async function observe(side: string, work: (namespace: string) => Promise<void>): Promise<Observed> {
      const namespace = await makeNamespace(side)
      const { cluster } = target
      const before = await Promise.all(kinds.map((gvk) => listObjects(cluster, { gvk, namespace }, ctx)))
      // Whether it fails shows in what is left.
      await work(namespace).catch(() => undefined)
      const lists = await Promise.all(kinds.map((gvk) => listObjects(cluster, { gvk, namespace }, ctx)))
      const left = lists.flatMap(({ items }) => items.filter(isHook).map(nameOf)).toSorted()
      for (const object of ends) await createObject(cluster, { ...object, metadata: { ...object.metadata, namespace } }, {}, ctx)
      const changes = (await Promise.all(before.map((from, at) => changesSince(kinds[at]!, namespace, from)))).flat()
      const story = changes.sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ line }) => line)
      return { story, left, records: await records(namespace) }
    }

    /** All that happened to the objects of a kind since a list, up to the object that ends the story. */
    async function changesSince(gvk: (typeof kinds)[number], namespace: string, from: ObjectList): Promise<Change[]> {
      const changes: Change[] = []
      const ended = new Set<string>()
      for await (const event of watchObjects(target.cluster, { gvk, namespace, from }, ctx)) {
        if (event.type !== 'added' && event.type !== 'modified' && event.type !== 'deleted') continue
        const { metadata } = event.object
        if (metadata.name === endName) return changes
        if (given.has(metadata.name)) continue
        const at = BigInt(metadata.resourceVersion ?? '0')
        const id = metadata.uid ?? ''
        if (event.type === 'modified' && (ended.has(id) || !hasEnded(event.object))) continue
        if (event.type === 'modified') ended.add(id)
        changes.push({ at, line: `${event.type === 'modified' ? 'ended' : event.type} ${nameOf(event.object)}` })
      }
      throw new Error('the watch ended')
    }

    /** How each hook ended, as the last revision has it; nothing after an uninstall. */
    async function records(namespace: string): Promise<unknown[]> {
      const [latest] = (await engine.store.history('shop', namespace, ctx)).slice(-1)
      if (latest === undefined) return []
      const stored = await engine.store.get(latest, ctx)
      return (stored?.record.hooks ?? []).map(({ object, lastRun }) => [object.metadata.name, lastRun?.phase])
    }

    async function byHelm(namespace: string, chart: string, step: Step): Promise<void> {
      const more = step === 'install' || step === 'upgrade' ? [chart, '--set', `value=${step}`] : []
      await helm.run(namespace, step, 'shop', ...more)
    }

    async function byLading(namespace: string, chart: string, step: Step, options: DeployOptions = {}): Promise<void> {
      const release = { name: 'shop', namespace }
      if (step === 'test') await finish(testRelease(engine, release, {}, ctx))
      if (step === 'uninstall') await finish(uninstall(engine, release, {}, ctx))
      if (step !== 'install' && step !== 'upgrade') return
      const inputs = { source: chart, set: [{ flag: 'set' as const, text: `value=${step}` }] }
      const content = await renderContent(engine.store, release, inputs, { cluster: target.cluster }, ctx)
      await finish((step === 'install' ? install : upgrade)(engine, content, options, ctx))
    }
  })
}

type Step = 'install' | 'upgrade' | 'test' | 'uninstall'

interface Observed {
  readonly story: readonly string[]
  readonly left: readonly string[]
  readonly records: readonly unknown[]
}

interface Change {
  readonly at: bigint
  readonly line: string
}

/** An account and a role that a Job needs, as charts bring them, and an ordinary object. */
function chartOf(phases: string, { policy = 'hook-succeeded', simulate = '' }): Record<string, string> {
  const needed = policy === 'before-hook-creation' ? policy : 'hook-succeeded'
  return {
    'settings.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {value: {{ .Values.value }}}\n',
    'hooks.yaml': [
      `apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: account\n${marks(phases, '-2', needed)}`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: role\n${marks(phases, '-1', needed)}`,
      `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: create\n${marks(phases, '0', policy)}spec:
  backoffLimit: 0
  template:
    metadata: {annotations: {lading.dev/simulate: "${simulate}"}}
    spec:
      serviceAccountName: account
      restartPolicy: Never
      containers: [{name: main, image: registry.example/hook}]
`,
    ].join('---\n'),
  }
}

/** A Job that is no hook, beside a Deployment. */
function plainJob(simulateJob: string, simulatePod: string): Record<string, string> {
  const pod = (simulate: string, name: string, more: string) => `
    metadata: {labels: {app: ${name}}, annotations: {lading.dev/${simulate}}}
    spec: {${more}containers: [{name: main, image: registry.example/${name}}]}
`
  return {
    'job.yaml': `apiVersion: batch/v1\nkind: Job\nmetadata: {name: plain}\nspec:\n  backoffLimit: 0\n  template:${pod(simulateJob, 'plain', 'restartPolicy: Never, ')}`,
    'web.yaml': `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {app: web}}\n  template:${pod(simulatePod, 'web', '')}`,
  }
}

function marks(phases: string, weight: string, policy: string): string {
  return `  annotations:
    helm.sh/hook: ${phases}
    helm.sh/hook-weight: "${weight}"
    helm.sh/hook-delete-policy: ${policy}
`
}

const kinds = [
  { group: '', version: 'v1', kind: 'ServiceAccount' },
  { group: '', version: 'v1', kind: 'ConfigMap' },
  { group: 'batch', version: 'v1', kind: 'Job' },
] as const

/** What every namespace gets by itself, at a moment of its own. */
const given: ReadonlySet<string> = new Set(['default', 'kube-root-ca.crt'])

const endName = 'end-of-story'

/** Objects that are created last, so that a watch knows when it has seen everything. */
const ends: readonly KubeObject[] = [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: endName } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: endName } },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: endName },
    spec: {
      suspend: true,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/hook' }] } },
    },
  },
]

function hasEnded({ kind, status }: KubeObject): boolean {
  const conditions = isRecord(status) && Array.isArray(status['conditions']) ? status['conditions'].filter(isRecord) : []
  const ended = conditions.some(({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True')
  return kind === 'Job' && ended
}

function isHook({ metadata }: KubeObject): boolean {
  return metadata.annotations?.['helm.sh/hook'] !== undefined
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name}`
}
