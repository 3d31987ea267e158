import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGateway, type OpenGateway, tokens } from '../testdata/open-gateway.ts'

let open: OpenGateway
beforeAll(async () => {
  open = await openGateway()
})
afterAll(async () => {
  await open[Symbol.asyncDispose]()
})

const chart = { 'flux.type': 'helmrelease', 'flux.chart': 'nginx', 'flux.sourceRef': 'bitnami' }
const request = (name: string): object => ({
  name,
  namespace: 'production',
  values: { replicaCount: 3, image: { tag: '1.21', pullPolicy: 'Always' } },
  extensions: { ...chart, 'flux.chartVersion': '13.2.0' },
})

async function deployed(path: string): Promise<void> {
  await expect.poll(async () => (await open.send('GET', `${path}/status`)).body.status).toBe('deployed')
}

async function valuesOf(name: string): Promise<unknown> {
  const release = await open.cluster.get('helm.toolkit.fluxcd.io/v2', 'HelmRelease', `flux-system/${name}`)
  return (release?.['spec'] as { values?: unknown } | undefined)?.values
}

describe('the examples of document 003', () => {
  const examples = readFileSync(new URL('testdata/curl-examples.sh', import.meta.url), 'utf8')
    .trim()
    .split('\n\n')

  it.each(examples.map((example) => [example.split('\n')[0]!, example] as const))('%s', async (_title, example) => {
    const command = example.replace('https://gateway.example.com', open.url).replace('<token>', tokens.admin)
    const { stdout } = await promisify(execFile)('bash', ['-c', `${command} --silent --write-out '\\n%{http_code}'`])
    const [status, ...body] = stdout.split('\n').toReversed()
    expect(Number(status)).toBe(example.includes('-X GET') ? 200 : 201)
    expect(JSON.parse(body.toReversed().join('\n'))).toBeTypeOf('object')
  })
})

describe('a deployment', () => {
  it('lives from its creation to its deletion, in the words of O2-IMS', async () => {
    const created = await open.send('POST', '/o2ims/v1/deployments', { body: request('life') })
    expect(created.status).toBe(201)
    const path = created.headers.get('location')!
    expect(path).toBe('/o2ims/v1/deployments/helmrelease%3Aflux-system%3Alife')
    await deployed(path)
    const read = await open.send('GET', path)
    expect(read.headers.get('etag')).toBe(`"${read.body.etag}"`)
    expect((await open.send('GET', path, { headers: { 'if-none-match': read.headers.get('etag')! } })).status).toBe(304)

    const merged = await open.send('PATCH', path, { body: { values: { image: { tag: '1.22', pullPolicy: null } } } })
    expect(merged.status).toBe(200)
    expect(await valuesOf('life')).toEqual({ replicaCount: 3, image: { tag: '1.22' } })
    await deployed(path)
    const replaced = await open.send('PUT', path, { body: { values: { replicaCount: 1 }, extensions: chart } })
    expect(replaced.status).toBe(200)
    expect(await valuesOf('life')).toEqual({ replicaCount: 1 })
    await deployed(path)
    expect((await open.send('POST', `${path}/scale`, { body: { replicas: 0 } })).status).toBe(200)
    await deployed(path)
    const back = await open.send('POST', `${path}/rollback`, { body: { revision: 1 } })
    expect(back.status).toBe(200)
    await deployed(path)
    const { body: history } = await open.send('GET', `${path}/history`)
    expect(history.revisions.map((one: { revision: number }) => one.revision)).toEqual([5, 4, 3, 2, 1])
    expect(await valuesOf('life')).toEqual({ replicaCount: 3, image: { tag: '1.21', pullPolicy: 'Always' } })

    expect((await open.send('POST', `${path}/suspend`)).body.suspended).toBe(true)
    expect((await open.send('POST', `${path}/resume`)).body.suspended).toBe(false)
    expect((await open.send('POST', `${path}/reconcile`)).status).toBe(200)
    expect((await open.send('DELETE', path)).status).toBe(204)
    await expect.poll(async () => (await open.send('GET', path)).status).toBe(404)
  })

  it('has the names of O2-DMS below its paths, and is the same one', async () => {
    const body = { name: 'nf', namespace: 'production', parameterValues: { replicaCount: 1 }, extensions: chart }
    const created = await open.send('POST', '/o2dms/v1/nfDeployments', { body })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ nfDeploymentId: 'helmrelease:flux-system:nf', name: 'nf' })
    expect(created.body).not.toHaveProperty('id')
    const path = created.headers.get('location')!
    expect(path).toContain('/o2dms/v1/nfDeployments/')
    const page = await open.send('GET', '/o2dms/v1/nfDeployments?limit=1')
    expect(page.body.nfDeployments).toHaveLength(1)
    const tried = await open.send('PATCH', `${path}?dryRun=All`, { body: { parameterValues: { replicaCount: 2 } } })
    expect(tried.body).toMatchObject({ dryRun: true, nfDeployment: { nfDeploymentId: 'helmrelease:flux-system:nf' } })
    expect((await open.send('GET', '/o2ims/v1/deployments/nf')).body.id).toBe('helmrelease:flux-system:nf')
    expect((await open.send('GET', '/o2dms/v1/nfDeploymentDescriptors')).body.nfDeploymentDescriptors).toHaveLength(2)
    expect((await open.send('GET', '/o2dms/v1/deploymentLifecycle')).body.capabilities).toContain('rollback')
  })

  it('is tried with dryRun=All, and nothing is stored', async () => {
    const tried = await open.send('POST', '/o2ims/v1/deployments?dryRun=All', { body: request('tried') })
    expect(tried.status).toBe(200)
    expect(tried.body.dryRun).toBe(true)
    expect(tried.body.changes.length).toBeGreaterThan(0)
    expect((await open.send('GET', '/o2ims/v1/deployments/tried')).status).toBe(404)
  })

  it('is written only if it is still what If-Match says', async () => {
    const { headers, body } = await open.send('POST', '/o2ims/v1/deployments', { body: request('match') })
    const path = headers.get('location')!
    await deployed(path)
    const stale = await open.send('PATCH', path, {
      body: { values: { a: 1 } },
      headers: { 'if-match': `"${body.etag}x"` },
    })
    expect([stale.status, stale.body.code]).toEqual([412, 'request.precondition'])
    const deletion = await open.send('DELETE', path, { headers: { 'if-match': '"0"' } })
    expect(deletion.status).toBe(412)
    const { etag } = (await open.send('GET', path)).body
    expect(
      (await open.send('PATCH', path, { body: { values: { a: 1 } }, headers: { 'if-match': `"${etag}"` } })).status,
    ).toBe(200)
  })
})

describe('what the original got wrong', () => {
  it('is not found with 404 and the message that clients know', async () => {
    const { status, body, headers } = await open.send('GET', '/o2ims/v1/deployments/nonexistent')
    expect(status).toBe(404)
    expect(headers.get('content-type')).toContain('application/problem+json')
    expect(body).toMatchObject({
      detail: 'deployment not found: nonexistent',
      code: 'deployment.not-found',
      status: 404,
    })
    for (const path of ['status', 'history', 'logs']) {
      expect((await open.send('GET', `/o2ims/v1/deployments/nonexistent/${path}`)).status).toBe(404)
    }
  })

  it('says which extension is missing', async () => {
    const body = { name: 'test', extensions: { 'flux.type': 'helmrelease' } }
    const answer = await open.send('POST', '/o2ims/v1/deployments', { body })
    expect([answer.status, answer.body.detail]).toEqual([400, 'flux.chart extension is required for HelmRelease'])
  })

  it('answers pages with the true total, a cursor and a link, and refuses a negative offset', async () => {
    for (const name of ['page-1', 'page-2', 'page-3']) {
      await open.send('POST', '/o2ims/v1/deployments', { body: { ...request(name), labels: { page: 'yes' } } })
    }
    const first = await open.send('GET', '/o2ims/v1/deployments?labels=page=yes&limit=2')
    expect([first.body.deployments.length, first.body.total]).toEqual([2, 3])
    const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link')!)![1]!
    const second = await open.send('GET', next)
    expect(second.body.deployments.map((one: { name: string }) => one.name)).toEqual(['page-3'])
    expect(second.headers.get('link')).toBeNull()
    for (const query of [
      'offset=-1',
      'limit=0',
      'limit=x',
      'limit=1001',
      'status=Deployed',
      'surprise=1',
      'labels=x',
    ]) {
      const { status, body } = await open.send('GET', `/o2ims/v1/deployments?${query}`)
      expect([status, body.code]).toEqual([400, 'request.invalid'])
    }
    expect((await open.send('GET', '/o2ims/v1/deployments?labels=page=yes&status=failed')).body.total).toBe(0)
  })

  it('refuses to scale what cannot be scaled', async () => {
    const extensions = { 'flux.type': 'kustomization', 'flux.path': './x', 'flux.sourceRef': 'infra-repo' }
    const created = await open.send('POST', '/o2ims/v1/deployments', { body: { name: 'fixed', extensions } })
    const path = created.headers.get('location')!
    const scaled = await open.send('POST', `${path}/scale`, { body: { replicas: 2 } })
    expect([scaled.status, scaled.body.code]).toEqual([422, 'deployment.not-scalable'])
    const negative = await open.send('POST', `${path}/scale`, { body: { replicas: -1 } })
    expect([negative.status, negative.body.detail]).toEqual([400, 'replicas must be non-negative'])
  })
})
