import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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
    return renderBuild(prepared, 'web')
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
    await expect(prepareInline(plan, join(root, 'component'))).rejects.toMatchObject({ code: 'config.invalid' })
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
    const prepared = await prepareInline({ inline_manifest: text } as Parameters<typeof prepareInline>[0], '/')
    await expect(renderBuild(prepared, 'web')).rejects.toThrow(message)
  })
})
