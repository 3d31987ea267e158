import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context } from '../core/index.ts'
import type { DeploymentAdapter } from '../deployment/index.ts'
import { applySet, connect, patchObject } from '../kube/index.ts'
import { startSandbox } from '../sandbox/index.ts'
import { createFluxAdapter } from './flux-adapter.ts'
import { referenceTo } from './pin-source.ts'
import { fluxCrds } from './testdata/flux-crds.ts'
import { openFlux } from './testdata/open-flux.ts'

const ctx = context()
const chart = { 'flux.chart': 'nginx', 'flux.sourceRef': 'bitnami' }

describe('the Flux adapter', () => {
  let target: Awaited<ReturnType<typeof openFlux>>
  let adapter: DeploymentAdapter
  beforeAll(async () => {
    target = await openFlux()
    adapter = target.adapter
  })
  afterAll(() => target.close())

  it('refuses requests that it cannot carry out as they are, with the field', async () => {
    for (const [request, message] of [
      [{ name: 'a', extensions: { 'flux.type': 'argo' } }, 'unsupported deployment type: argo'],
      [{ name: 'a', extensions: { 'flux.chart': 'x' } }, 'flux.sourceRef extension is required for HelmRelease'],
      [
        { name: 'a', extensions: { 'flux.type': 'kustomization' } },
        'flux.sourceRef extension is required for Kustomization',
      ],
      [
        { name: 'a', extensions: { ...chart, 'flux.charts': 'x' } },
        /^flux\.charts is not an extension of a HelmRelease/,
      ],
      [{ name: 'a', extensions: { ...chart, 'flux.suspend': 'yes' } }, 'flux.suspend must be true or false'],
      [{ name: 'a', extensions: { ...chart, 'flux.interval': '5 minutes' } }, /^flux\.interval must be a duration/],
      [
        { name: 'a', extensions: { ...chart, 'flux.sourceKind': 'Secret' } },
        /^flux\.sourceKind of a HelmRelease must be/,
      ],
      [{ name: 'a', extensions: { ...chart, 'flux.message': 'x' } }, 'flux.message is read-only: leave it out'],
      [{ name: 'a', namespace: 'one', extensions: { ...chart, 'flux.targetNamespace': 'two' } }, /give one of them$/],
      [{ name: 'a', extensions: { ...chart, 'flux.chartRef': { kind: 'OCIRepository', name: 'x' } } }, /not both$/],
    ] as const) {
      await expect(adapter.create(request, {}, ctx)).rejects.toMatchObject({
        code: 'deployment.invalid',
        message: expect.stringMatching(message),
      })
    }
  })

  it('merges values deeply, removes what is null, and replaces all when asked', async () => {
    const values = { image: { tag: '1', pullPolicy: 'Always' }, debug: true }
    const { deployment } = await adapter.create({ name: 'merge', values, extensions: chart }, {}, ctx)
    const merged = await adapter.update(deployment.id, { values: { image: { tag: '2' }, debug: null } }, {}, ctx)
    expect(merged.changes).toEqual(
      expect.arrayContaining([
        { path: '.spec.values.image.tag', before: '1', after: '2' },
        { path: '.spec.values.debug', before: true },
      ]),
    )
    expect(merged.changes.map(({ path }) => path)).not.toContain('.spec.values.image.pullPolicy')
    const replaced = await adapter.update(deployment.id, { mode: 'replace', values: { debug: true } }, {}, ctx)
    expect(replaced.changes.map(({ path }) => path)).toEqual(expect.arrayContaining(['.spec.values.image']))
  })

  it('pins a Kustomization to a revision with a source of its own, and lets it follow its source again', async () => {
    const extensions = { 'flux.type': 'kustomization', 'flux.sourceRef': 'infra-repo', 'flux.targetRevision': 'v1.2.0' }
    const { deployment } = await adapter.create({ name: 'pinned', extensions }, {}, ctx)
    expect(deployment.extensions).toMatchObject({ 'flux.sourceRef': 'infra-repo', 'flux.targetRevision': 'v1.2.0' })
    const packages = await adapter.listPackages({}, ctx)
    expect(packages.items.map(({ id }) => id)).toContain('gitrepository:flux-system:pinned-pinned')
    const freed = await adapter.update(deployment.id, { extensions: { 'flux.targetRevision': null } }, {}, ctx)
    expect(freed.deployment.extensions).not.toHaveProperty('flux.targetRevision')
    await expect
      .poll(async () => (await adapter.listPackages({}, ctx)).items.map(({ id }) => id))
      .not.toContain('gitrepository:flux-system:pinned-pinned')
  })

  it('pins nothing onto a source of that name that somebody else made, and creates nothing then', async () => {
    const url = 'https://git.example/theirs.git'
    const theirs = { name: 'taken-pinned', extensions: { 'flux.type': 'git', 'flux.url': url } }
    const { id } = await adapter.createPackage(theirs, {}, ctx)
    const extensions = { 'flux.type': 'kustomization', 'flux.sourceRef': 'infra-repo', 'flux.targetRevision': 'v1' }
    const call = adapter.create({ name: 'taken', extensions }, {}, ctx)
    await expect(call).rejects.toThrow('belongs to somebody else')
    expect((await adapter.getPackage(id, ctx)).extensions).toMatchObject({ 'flux.url': url })
    await expect(adapter.get('taken', ctx)).rejects.toMatchObject({ code: 'deployment.not-found' })
  })

  it('deletes a deployment that asks Helm to keep it, and says so only when it is gone', async () => {
    const { deployment } = await adapter.create({ name: 'kept', extensions: chart }, {}, ctx)
    const metadata = { annotations: { 'helm.sh/resource-policy': 'keep' } }
    const ref = {
      group: 'helm.toolkit.fluxcd.io',
      version: 'v2',
      kind: 'HelmRelease',
      namespace: 'flux-system',
      name: 'kept',
    }
    await patchObject(target.cluster, ref, { metadata }, { type: 'merge' }, ctx)
    await adapter.delete(deployment.id, {}, ctx)
    await expect.poll(() => adapter.get(deployment.id, ctx).catch((error) => error.code)).toBe('deployment.not-found')
  })

  it('makes, lists and deletes sources as packages, but not one that is used', async () => {
    const request = { name: 'extra', extensions: { 'flux.type': 'oci', 'flux.url': 'oci://registry.example/app' } }
    const made = await adapter.createPackage(request, {}, ctx)
    expect(made).toMatchObject({ id: 'ocirepository:flux-system:extra', packageType: 'OCIRepository' })
    expect(await adapter.getPackage(made.id, ctx)).toMatchObject({ id: made.id })
    await expect(adapter.createPackage(request, {}, ctx)).rejects.toMatchObject({ code: 'package.exists' })
    await adapter.create(
      { name: 'user', packageId: 'helmrepository:flux-system:bitnami', extensions: { 'flux.chart': 'x' } },
      {},
      ctx,
    )
    await expect(adapter.deletePackage('helmrepository:flux-system:bitnami', {}, ctx)).rejects.toMatchObject({
      code: 'package.in-use',
    })
    await adapter.deletePackage(made.id, {}, ctx)
    await expect.poll(() => adapter.getPackage(made.id, ctx).catch((error) => error.code)).toBe('package.not-found')
  })

  it('keeps extensions of others, and accepts what it said itself', async () => {
    const extensions = { ...chart, 'vendor.slice': { sst: 1 } }
    const { deployment } = await adapter.create({ name: 'vendor', extensions }, {}, ctx)
    expect(deployment.extensions).toMatchObject({ 'vendor.slice': { sst: 1 } })
    const same = await adapter.get(deployment.id, ctx)
    const { changes } = await adapter.update(deployment.id, { extensions: same.extensions }, {}, ctx)
    expect(changes).toEqual([])
  })
})

it('a cluster without Flux is not healthy, and becomes so without a new adapter', async () => {
  const sandbox = await startSandbox()
  const cluster = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
  const adapter = createFluxAdapter(cluster, {}, ctx)
  try {
    expect(await adapter.health(ctx)).toMatchObject({
      healthy: false,
      message: expect.stringContaining('flux adapter not healthy'),
    })
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'flux-system' } }
    await applySet(cluster, [...fluxCrds, namespace], {}, ctx)
    await expect.poll(() => adapter.health(ctx)).toMatchObject({ healthy: true })
    expect(await adapter.list({}, ctx)).toMatchObject({ items: [], total: 0 })
  } finally {
    await adapter.close()
    await cluster.close()
    await sandbox.stop()
  }
})

it.each([
  ['GitRepository', 'a'.repeat(40), { commit: 'a'.repeat(40) }],
  ['GitRepository', `main@sha1:${'b'.repeat(40)}`, { commit: 'b'.repeat(40) }],
  ['GitRepository', 'v1.2.3', { tag: 'v1.2.3' }],
  ['GitRepository', 'main', { branch: 'main' }],
  ['GitRepository', 'refs/pull/1/head', { name: 'refs/pull/1/head' }],
  ['OCIRepository', `latest@sha256:${'c'.repeat(64)}`, { digest: `sha256:${'c'.repeat(64)}` }],
  ['OCIRepository', '1.0.0', { tag: '1.0.0' }],
])('a %s is pinned to %s by its ref', (kind, revision, ref) => {
  expect(referenceTo(kind, revision)).toEqual(ref)
})
