import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../../testbed/npm-clients.ts'
import { type Sandbox, startSandbox } from '../../start.ts'

/** Imperative commands send protobuf, where `kubectl apply` and `create -f` send JSON. */
describe.skipIf(noNpmClients !== undefined)('kubectl create', () => {
  let sandbox: Sandbox
  let folder: string
  let program: string

  beforeAll(async () => {
    sandbox = await startSandbox()
    folder = await mkdtemp(join(tmpdir(), 'lading-kubectl-'))
    program = (await npmClients())?.kubectl ?? ''
  })

  afterAll(async () => {
    await sandbox.stop()
    await rm(folder, { recursive: true })
  })

  it.each([
    ['namespace', 'shop'],
    ['configmap', 'settings', '--from-literal=a=b', '--from-literal=empty='],
    ['configmap', 'binary', `--from-file=data=${fileURLToPath(new URL('./testdata/binary', import.meta.url))}`],
    ['secret', 'generic', 'key', '--from-literal=a=\u00fc'],
    ['secret', 'docker-registry', 'pull', '--docker-username=u', '--docker-password=p'],
    ['deployment', 'web', '--image=nginx', '--replicas=0', '--port=80'],
    ['role', 'reader', '--verb=get,list', '--resource=pods,deployments.apps'],
    ['rolebinding', 'reader', '--role=reader', '--serviceaccount=shop:robot', '--user=jane'],
    ['clusterrole', 'logs', '--verb=get', '--non-resource-url=/logs/*'],
    ['clusterrole', 'sum', '--aggregation-rule=a=b'],
    ['clusterrolebinding', 'logs', '--clusterrole=logs', '--group=ops'],
    ['service', 'clusterip', 'inside', '--tcp=80:8080'],
    ['service', 'nodeport', 'outside', '--tcp=80:http', '--node-port=30111'],
    ['service', 'externalname', 'far', '--external-name=example.com'],
    ['ingress', 'web', '--rule=shop.example/api*=web:http,tls=key', '--annotation=a=b', '--class=front'],
    ['job', 'once', '--image=busybox', '--', 'date', '-u'],
    ['cronjob', 'often', '--image=busybox', '--schedule=*/5 * * * *', '--', 'date'],
    ['quota', 'small', '--hard=cpu=1500m,memory=1Gi,pods=0'],
    ['poddisruptionbudget', 'half', '--selector=app=web', '--min-available=50%'],
    ['poddisruptionbudget', 'one', '--selector=app=web', '--max-unavailable=1'],
    ['priorityclass', 'high', '--value=1000', '--description=first', '--preemption-policy=Never'],
    ['serviceaccount', 'robot'],
  ])('%s %s stores what it shows in a dry run', async (...words) => {
    const separator = words.indexOf('--')
    const at = separator < 0 ? words.length : separator
    const shown = await kubectl('create', ...words.slice(0, at), '--dry-run=client', '-o', 'json', ...words.slice(at))
    const created = await kubectl('create', ...words.slice(0, at), '-o', 'json', ...words.slice(at))
    expect(created).toMatchObject(withoutNothing(shown) as object)
  })

  it('and the options of deletions arrive', async () => {
    await kubectl('create', 'configmap', 'short-lived', '-o', 'json')
    await expect(run('delete', 'configmap', 'short-lived', '--dry-run=server')).resolves.toContain('server dry run')
    await expect(run('get', 'configmap', 'short-lived')).resolves.toContain('short-lived')
    await expect(run('delete', 'configmap', 'short-lived', '--cascade=foreground')).resolves.toContain('deleted')
  })

  async function kubectl(...args: string[]): Promise<unknown> {
    return JSON.parse(await run(...args))
  }

  async function run(...args: string[]): Promise<string> {
    const env = { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: sandbox.kubeconfig }
    return (await promisify(execFile)(program, args, { env })).stdout
  }
})

/** Without what says nothing: nulls, and the empty structs that Go writes. */
function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNothing)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .map(([key, field]) => [key, withoutNothing(field)] as const)
    .filter(([, field]) => field !== null && !(typeof field === 'object' && Object.keys(field).length === 0))
  return Object.fromEntries(entries)
}
