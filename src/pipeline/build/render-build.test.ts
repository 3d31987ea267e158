import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { prepareKustomize, renderBuild } from './render-build.ts'

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
