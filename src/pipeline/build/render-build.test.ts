import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import type { OpenRemote, RemoteOptions } from '../../release/index.ts'
import type { Component } from '../config/component.ts'
import { planBuild } from './build-plan.ts'
import { prepareInline, prepareKustomize, renderBuild } from './render-build.ts'

describe('a component whose kustomization asks for a chart', () => {
  let root = ''
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'lading-render-build-'))
    await write('kustomization.yaml', 'namePrefix: my-\nhelmCharts: [{name: web, valuesInline: {colour: red}}]\n')
    await write('charts/web/Chart.yaml', 'apiVersion: v2\nname: web\nversion: 1.0.0\n')
    await write('charts/web/values.yaml', 'colour: blue\n')
    const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {colour: {{ .Values.colour }}}\n'
    await write('charts/web/templates/map.yaml', map)
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  it('has it inflated with enable_helm', async () => {
    expect(await render(true)).toMatchObject([{ metadata: { name: 'my-map' }, data: { colour: 'red' } }])
  })

  it('is refused without, and told which setting is missing', async () => {
    await expect(render(false)).rejects.toMatchObject({ code: 'kustomize.refused' })
  })

  async function render(enableHelm: boolean) {
    const plan = { source_type: 'kustomize', kustomize_path: '.', kustomize_config: { enable_helm: enableHelm } }
    const prepared = await prepareKustomize(plan as Parameters<typeof prepareKustomize>[0], root, undefined)
    return (await renderBuild(prepared, 'web', undefined, context())).objects
  }

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
})

describe('a component that reaches out of its folder', () => {
  let root = ''
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'lading-render-build-'))
    for (const folder of ['component', 'secret']) await mkdir(join(root, folder))
    await writeFile(join(root, 'secret/kustomization.yaml'), 'configMapGenerator: [{name: stolen, literals: [a=b]}]\n')
    await writeFile(join(root, 'secret/patch.yaml'), 'a: b\n')
    await writeFile(join(root, 'component/kustomization.yaml'), 'configMapGenerator: [{name: own, literals: [a=b]}]\n')
    await symlink(join(root, 'secret'), join(root, 'component/folder'))
    await symlink(join(root, 'secret/patch.yaml'), join(root, 'component/link.yaml'))
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  it.each(['../secret', 'folder', '/etc'])('by the path %s is refused', async (path) => {
    await expect(prepare({ kustomize_path: path })).rejects.toMatchObject({ code: 'config.invalid' })
  })

  it.each(['../secret/patch.yaml', 'link.yaml', 'folder/patch.yaml'])('by the patch %s is refused', async (patch) => {
    const config = { kustomize_path: '.', kustomize_config: { patches: [patch] } }
    await expect(prepare(config)).rejects.toMatchObject({ code: 'config.invalid' })
  })

  it.each(['../secret/patch.yaml', 'link.yaml'])('by the manifest %s is refused', async (manifest) => {
    const plan = { source_type: 'inline', inline_manifest: manifest } as Parameters<typeof prepareInline>[0]
    await expect(prepareInline(plan, join(root, 'component'), context())).rejects.toMatchObject({
      code: 'config.invalid',
    })
  })

  function prepare(config: object) {
    const plan = { source_type: 'kustomize', ...config } as Parameters<typeof prepareKustomize>[0]
    return prepareKustomize(plan, join(root, 'component'), undefined)
  }
})

describe('a manifest with a mistake', () => {
  const duplicate = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'
  it.each([
    ['a: 1\n', 'the inline manifest: missing kind in an object'],
    ['a: [\n', 'the inline manifest, line 2: deficient indentation'],
    [`${duplicate}---\n${duplicate}`, /^the inline manifest: may not add resource with an already registered id/],
  ])('is said to be in what the user wrote: %j', async (text, message) => {
    const prepared = await prepareInline(
      { inline_manifest: text } as Parameters<typeof prepareInline>[0],
      '/',
      context(),
    )
    await expect(renderBuild(prepared, 'web', undefined, context())).rejects.toThrow(message)
  })
})

describe('a component whose kustomization refers to another host', () => {
  let root = ''
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'lading-render-build-'))
    await writeFile(join(root, 'kustomization.yaml'), 'resources: [https://files.example/a.yaml]\n')
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  const record = { type: 'file', url: 'https://files.example/a.yaml', digest: 'sha256:0' } as const
  const content = Buffer.from('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: far}\n')

  it('is built from there where the plan allows the host, and says what was fetched', async () => {
    const asked: unknown[] = []
    const openRemote: OpenRemote = async (options) => (
      asked.push(options),
      async () => ({ type: 'file', content, record })
    )
    const built = await renderBuild(await prepared({ hosts: ['files.example'] }), 'web', openRemote, context())
    expect(built).toMatchObject({ objects: [{ metadata: { name: 'far' } }], remotes: [record] })
    expect(asked).toEqual([{ hosts: ['files.example'], allowUnpinned: false }])
  })

  it('is refused where the plan allows no host', async () => {
    const openRemote: OpenRemote = () => Promise.reject(new Error('nothing may be opened'))
    await expect(renderBuild(await prepared(), 'web', openRemote, context())).rejects.toMatchObject({
      code: 'kustomize.refused',
      message: expect.stringContaining('--allow-remote files.example') as string,
    })
  })

  async function prepared(remote?: RemoteOptions) {
    const component = { name: 'web', folder: root, health: { probes: [] }, source: kustomize } as unknown as Component
    const plan = planBuild(component, { registry: 'oci://registry.example/web', tag: 'v1' }, {}, remote)
    return prepareKustomize(plan.kubernetes_manifest_build_plan, root, undefined)
  }
})

const kustomize = { type: 'kustomize', path: '.', patches: [], enableHelm: false, loadRestrictor: 'rootOnly' }
