import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeFiles } from '../../../../testing/write-files.ts'
import { context } from '../../../core/index.ts'
import { startRegistry } from '../../../sandbox/index.ts'
import { artifactSource } from '../artifact-source.ts'
import { chartAccess, chartFiles, fetchChart, openChart, pullChart, pushChart } from './index.ts'

const ctx = context()
let registry: Awaited<ReturnType<typeof startRegistry>>
let folder: string
const how = { plainHttp: true, credentials: async () => undefined, env: {} }

beforeAll(async () => {
  registry = await startRegistry()
  folder = await mkdtemp(join(tmpdir(), 'lading-chart-'))
  await writeFiles(folder, {
    'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.2.0\n',
    'shop/templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n',
  })
})
afterAll(async () => {
  await registry.stop()
  await rm(folder, { recursive: true })
})

it('a chart is pushed, and fetched, opened and pulled again by its version', async () => {
  const pushed = await pushChart(`oci://${registry.host}/charts`, join(folder, 'shop'), { registry: how }, ctx)
  expect(pushed).toMatchObject({ tag: '1.2.0', signed: false })
  const access = chartAccess({ env: {}, registry: how })
  const reference = `oci://${registry.host}/charts/shop`
  expect((await fetchChart(reference, { version: '^1', access }, ctx)).fileName).toBe('shop-1.2.0.tgz')
  expect((await openChart(reference, { access }, ctx)).metadata.name).toBe('shop')
  expect((await openChart('shop', { cwd: folder, access }, ctx)).metadata.version).toBe('1.2.0')
  const pulled = await pullChart(reference, { version: '1.x', registry: how, access }, ctx)
  if (pulled.type !== 'chart') throw new Error('a chart was pushed')
  const { files, summary } = chartFiles(reference, pulled.chart, { untar: true })
  expect([...files.keys()].sort()).toEqual(['shop/Chart.yaml', 'shop/templates/a.yaml'])
  expect(summary).toMatchObject({ name: 'shop', version: '1.2.0', file: 'shop' })
  const none = pullChart(reference, { version: '^2', registry: how, access }, ctx)
  await expect(none).rejects.toMatchObject({ code: 'chart.not-found' })
})

it('what is neither a path nor the address of a chart is not looked for elsewhere', async () => {
  await expect(openChart('./none', { cwd: folder }, ctx)).rejects.toMatchObject({ code: 'file.not-found' })
})

it('a version with build metadata is found by the tag that Helm writes, an underscore for each plus', async () => {
  await writeFiles(folder, {
    'built/Chart.yaml': 'apiVersion: v2\nname: built\nversion: 1.3.0+linux.1\n',
    'built/templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n',
  })
  const pushed = await pushChart(`oci://${registry.host}/charts`, join(folder, 'built'), { registry: how }, ctx)
  expect(pushed.tag).toBe('1.3.0_linux.1')
  const options = { chart: { version: '~1.3' }, artifacts: { registry: how } }
  const release = { name: 'built', namespace: 'web', revision: 1, isInstall: true, isUpgrade: false }
  const source = artifactSource(`oci://${registry.host}/charts/built`, options)
  const { info, objects } = await source.render({ release }, ctx)
  expect(info.origin).toContain('/charts/built:1.3.0_linux.1@sha256:')
  expect(objects).toHaveLength(1)
})
