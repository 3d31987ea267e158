import { execFile, fork } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import {
  type ApiAnswer,
  type ApiClient,
  apiClientOf,
  ensureTool,
  type Flux,
  isolatedGit,
  startFlux,
  startGitServer,
  startRegistry,
} from '../testbed/index.ts'
import { isAlive } from '../testbed/file-lock.ts'

const namespace = `testbed-${process.pid}`
/** The first use of a program builds it. */
const buildTimeout = 30 * 60_000
let api: ApiClient

beforeAll(async () => {
  api = await apiClientOf(inject('kubeconfig'))
  await api.request('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
})

afterAll(async () => {
  await api.request('DELETE', `/api/v1/namespaces/${namespace}`)
  api.close()
})

describe('the control plane', () => {
  it('is a current Kubernetes', async () => {
    const { major, minor } = (await api.request('GET', '/version')).json as { major: string; minor: string }
    expect(major).toBe('1')
    expect(Number(minor)).toBeGreaterThanOrEqual(35)
  })

  it('refuses the unprivileged user with 403', async () => {
    const nobody = await client('nobody')
    const answer = await nobody.request('GET', `/api/v1/namespaces/${namespace}/pods`)
    expect(answer.status).toBe(403)
    expect(answer.json).toMatchObject({ kind: 'Status', reason: 'Forbidden' })
  })

  it('lets the editor write in one namespace only, and the reader read in all', async () => {
    const editor = await client('editor')
    const configMap = { metadata: { generateName: 'testbed-' } }
    expect((await editor.request('POST', '/api/v1/namespaces/editor/configmaps', configMap)).status).toBe(201)
    expect((await editor.request('POST', `/api/v1/namespaces/${namespace}/configmaps`, configMap)).status).toBe(403)
    const reader = await client('reader')
    expect((await reader.request('GET', `/api/v1/namespaces/${namespace}/configmaps`)).status).toBe(200)
    expect((await reader.request('POST', '/api/v1/namespaces/editor/configmaps', configMap)).status).toBe(403)
  })

  it('tells the throttled user 429 while another of its requests is being served', async () => {
    const throttled = await client('throttled')
    const path = `/api/v1/namespaces/${namespace}/configmaps`
    // A LIST that wants a version from the future holds its place for about three seconds, if it gets it.
    const answers: Promise<ApiAnswer>[] = []
    const state = { settled: false }
    const held = throttled.request('GET', `${path}?resourceVersion=999999999&resourceVersionMatch=NotOlderThan`)
    answers.push(held.finally(() => (state.settled = true)))
    while (!state.settled) {
      answers.push(throttled.request('GET', path))
      await answers.at(-1)
    }
    const refused = (await Promise.all(answers)).find(({ status }) => status === 429)
    expect(refused?.headers['retry-after']).toBeDefined()
    // Unlike every other refusal this one is plain text, not a Status object.
    expect(refused?.headers['content-type']).toMatch(/^text\/plain/)
  })
})

describe('simulated Pods', () => {
  it('run, become ready and make their Deployment available', async () => {
    await create('apps/v1', 'deployments', {
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: podTemplate({ app: 'web' }) },
    })
    await until('deployments/web', 'apps/v1', (web) => web.status['availableReplicas'] === 2)
  })

  it('complete when a Job owns them', async () => {
    await createJob('fine', {})
    await until('jobs/fine', 'batch/v1', (job) => hasCondition(job, 'Complete'))
  })

  it('fail their Job when told so', async () => {
    await createJob('bad', { 'lading.dev/simulate': 'job-fail' })
    await until('jobs/bad', 'batch/v1', (job) => hasCondition(job, 'Failed'))
  })

  it('never complete when told to hang', async () => {
    await createJob('hang', { 'lading.dev/simulate': 'hang' })
    await until('jobs/hang', 'batch/v1', (job) => job.status['ready'] === 1)
    const { items } = (await api.request('GET', `/api/v1/namespaces/${namespace}/pods?labelSelector=job-name=hang`))
      .json as { items: Live[] }
    expect(items.map((pod) => pod.status['phase'])).toEqual(['Running'])
  })

  it('crash again and again', async () => {
    await createPod('crash', 'crash-loop')
    await until('pods/crash', 'v1', (pod) => waitingReason(pod) === 'CrashLoopBackOff' && restarts(pod) >= 3)
  })

  it('cannot pull their image', async () => {
    await createPod('pull', 'image-pull-error')
    await until('pods/pull', 'v1', (pod) => waitingReason(pod) === 'ImagePullBackOff')
  })

  it('run without becoming ready', async () => {
    await createPod('unready', 'unready')
    const pod = await until('pods/unready', 'v1', ({ status }) => status['phase'] === 'Running')
    expect(hasCondition(pod, 'Ready', 'False')).toBe(true)
  })

  it('stay Pending on their node', async () => {
    await createPod('pending', 'pending')
    const pod = await until('pods/pending', 'v1', (pod) => hasCondition(pod, 'PodScheduled'))
    expect(pod.status['phase']).toBe('Pending')
  })

  it('do not go away when told so, until they are deleted without grace', async () => {
    await createPod('stays', 'never-terminates')
    await until('pods/stays', 'v1', (pod) => hasCondition(pod, 'Ready'))
    const path = `/api/v1/namespaces/${namespace}/pods/stays`
    await api.request('DELETE', path)
    await until('pods/stays', 'v1', ({ metadata }) => metadata['deletionTimestamp'] !== undefined)
    await api.request('DELETE', `${path}?gracePeriodSeconds=0`)
    await expect.poll(async () => (await api.request('GET', path)).status).toBe(404)
  })

  it('have logs', async () => {
    await createPod('talks')
    await until('pods/talks', 'v1', (pod) => hasCondition(pod, 'Ready'))
    const { text } = await api.request('GET', `/api/v1/namespaces/${namespace}/pods/talks/log`)
    expect(text).toContain('listening on :8080')
  })
})

describe('the registry', () => {
  beforeAll(() => ensureTool('registry'), buildTimeout)

  it('answers anybody', async () => {
    const registry = await startRegistry()
    onTestFinished(() => registry.stop())
    expect((await fetch(`${registry.url}/v2/`)).status).toBe(200)
  })

  it('wants a user and a password where it should', async () => {
    const registry = await startRegistry({ auth: true })
    onTestFinished(() => registry.stop())
    const refused = await fetch(`${registry.url}/v2/`)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic /)
    const authorization = `Basic ${btoa(`${registry.user}:${registry.password}`)}`
    expect((await fetch(`${registry.url}/v2/`, { headers: { authorization } })).status).toBe(200)
  })
})

describe('the git server', () => {
  it('lets git clone and push over HTTP', async () => {
    const git = await startGitServer()
    onTestFinished(() => git.stop())
    const clone = await mkdtemp(join(tmpdir(), 'lading-clone-'))
    onTestFinished(() => rm(clone, { recursive: true }))
    const run = async (...args: string[]): Promise<string> =>
      (await promisify(execFile)('git', args, { cwd: clone, env: { ...process.env, ...isolatedGit } })).stdout.trim()

    const commit = await git.commit('app', { 'deploy/config.yaml': 'a: 1\n' })
    await run('clone', '--quiet', commit.url, '.')
    expect(await readFile(join(clone, 'deploy/config.yaml'), 'utf8')).toBe('a: 1\n')
    expect(await run('rev-parse', 'HEAD')).toBe(commit.sha)
    await run('commit', '--quiet', '--allow-empty', '--message=pushed')
    await run('push', '--quiet', 'origin', 'HEAD:refs/heads/pushed')
    expect(await run('ls-remote', 'origin', 'refs/heads/pushed')).toContain(await run('rev-parse', 'HEAD'))
  })
})

describe('Flux', () => {
  let flux: Flux

  beforeAll(async () => {
    flux = await startFlux({ kubeconfig: inject('kubeconfig') }, { namespace })
  }, buildTimeout)

  afterAll(() => flux.stop())

  it('reconciles a Kustomization and a HelmRelease from the git server', async () => {
    const git = await startGitServer()
    onTestFinished(() => git.stop())
    const { url } = await git.commit('fleet', {
      'apps/config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: from-git}\ndata: {greeting: hello}\n',
      'chart/Chart.yaml': 'apiVersion: v2\nname: demo\nversion: 1.0.0\n',
      'chart/templates/config.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: from-chart}\ndata: {greeting: {{ .Values.greeting }}}\n',
    })
    await create('source.toolkit.fluxcd.io/v1', 'gitrepositories', {
      kind: 'GitRepository',
      metadata: { name: 'fleet' },
      spec: { url, ref: { branch: 'main' }, interval: '1m' },
    })
    const sourceRef = { kind: 'GitRepository', name: 'fleet' }
    await create('kustomize.toolkit.fluxcd.io/v1', 'kustomizations', {
      kind: 'Kustomization',
      metadata: { name: 'apps' },
      spec: { sourceRef, path: './apps', prune: true, interval: '1m', targetNamespace: namespace, wait: true },
    })
    await create('helm.toolkit.fluxcd.io/v2', 'helmreleases', {
      kind: 'HelmRelease',
      metadata: { name: 'demo' },
      spec: { chart: { spec: { chart: './chart', sourceRef } }, interval: '1m', values: { greeting: 'hi' } },
    })
    await until('kustomizations/apps', 'kustomize.toolkit.fluxcd.io/v1', (object) => hasCondition(object, 'Ready'), 90)
    await until('helmreleases/demo', 'helm.toolkit.fluxcd.io/v2', (object) => hasCondition(object, 'Ready'), 90)
    const fromGit = await api.request('GET', `/api/v1/namespaces/${namespace}/configmaps/from-git`)
    expect(fromGit.json).toMatchObject({ data: { greeting: 'hello' } })
    const fromChart = await api.request('GET', `/api/v1/namespaces/${namespace}/configmaps/from-chart`)
    expect(fromChart.json).toMatchObject({ data: { greeting: 'hi' } })
    // Nothing may be left that only a running Flux can finalize.
    await remove('kustomizations/apps', 'kustomize.toolkit.fluxcd.io/v1')
    await remove('helmreleases/demo', 'helm.toolkit.fluxcd.io/v2')
    await remove('gitrepositories/fleet', 'source.toolkit.fluxcd.io/v1')
  })
})

describe('a second testbed', () => {
  it('runs beside the first, and leaves no process and no file when its owner is killed', async () => {
    const owner = fork(fileURLToPath(new URL('../testbed/testdata/testbed-owner.ts', import.meta.url)), {
      execArgv: [],
    })
    onTestFinished(() => void owner.kill('SIGKILL'))
    const { kubeconfig } = await new Promise<{ kubeconfig: string }>((resolve, reject) => {
      owner.once('message', (message) => resolve(message as { kubeconfig: string }))
      owner.once('exit', (code) => reject(new Error(`the owner ended with code ${code}`)))
    })
    const second = await apiClientOf(kubeconfig)
    onTestFinished(() => second.close())
    const path = `/api/v1/namespaces/${namespace}`
    expect([(await api.request('GET', path)).status, (await second.request('GET', path)).status]).toEqual([200, 404])

    const folder = dirname(kubeconfig)
    const pids = await processesUsing(folder)
    expect(pids.length).toBeGreaterThanOrEqual(5)
    owner.kill('SIGKILL')
    await expect.poll(() => pids.filter(isAlive), { timeout: 20_000 }).toEqual([])
    await expect
      .poll(
        () =>
          stat(folder).then(
            () => 'there',
            () => 'gone',
          ),
        { timeout: 20_000 },
      )
      .toBe('gone')
  })
})

interface Live {
  metadata: Record<string, unknown>
  status: Record<string, unknown> & {
    conditions?: { type: string; status: string }[]
    containerStatuses?: { restartCount: number; state: { waiting?: { reason: string } } }[]
  }
}

async function client(user: string): Promise<ApiClient> {
  const opened = await apiClientOf(inject('kubeconfig'), user)
  onTestFinished(() => opened.close())
  return opened
}

function pathOf(apiVersion: string, resource: string): string {
  return `/${apiVersion === 'v1' ? 'api' : 'apis'}/${apiVersion}/namespaces/${namespace}/${resource}`
}

async function create(apiVersion: string, resource: string, object: object): Promise<void> {
  const answer = await api.request('POST', pathOf(apiVersion, resource), { apiVersion, ...object })
  if (answer.status !== 201) throw new Error(`cannot create ${resource}: ${answer.text}`)
}

async function remove(resource: string, apiVersion: string): Promise<void> {
  await api.request('DELETE', pathOf(apiVersion, resource))
  const status = async (): Promise<number> => (await api.request('GET', pathOf(apiVersion, resource))).status
  await expect.poll(status, { timeout: 60_000 }).toBe(404)
}

async function createPod(name: string, simulate?: string): Promise<void> {
  const annotations = simulate === undefined ? {} : { 'lading.dev/simulate': simulate }
  await create('v1', 'pods', { kind: 'Pod', metadata: { name, annotations }, spec: podTemplate({}).spec })
}

async function createJob(name: string, labels: Record<string, string>): Promise<void> {
  const template = podTemplate(labels)
  await create('batch/v1', 'jobs', {
    kind: 'Job',
    metadata: { name },
    spec: { backoffLimit: 0, template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
  })
}

function podTemplate(labels: Record<string, string>): { metadata: object; spec: object } {
  return { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'registry.example/main:1' }] } }
}

async function until(
  resource: string,
  apiVersion: string,
  isSo: (object: Live) => boolean,
  seconds = 30,
): Promise<Live> {
  let object: Live | undefined
  const check = async (): Promise<boolean> => {
    object = (await api.request('GET', pathOf(apiVersion, resource))).json as Live
    return object.status !== undefined && isSo(object)
  }
  try {
    await expect.poll(check, { timeout: seconds * 1000, interval: 50 }).toBe(true)
  } catch (error) {
    throw new Error(`${resource} is ${JSON.stringify(object?.status)}`, { cause: error })
  }
  return object as Live
}

function hasCondition(object: Live, type: string, status = 'True'): boolean {
  return object.status.conditions?.some((condition) => condition.type === type && condition.status === status) === true
}

function waitingReason(pod: Live): string | undefined {
  return pod.status.containerStatuses?.[0]?.state.waiting?.reason
}

function restarts(pod: Live): number {
  return pod.status.containerStatuses?.[0]?.restartCount ?? 0
}

async function processesUsing(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found: number[] = []
  for (const pid of pids) {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (commandLine.includes(folder)) found.push(Number(pid))
  }
  return found
}
