import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../../testbed/npm-clients.ts'
import { type ChartServer, chartOf, startChartServer } from '../../../../testing/chart-server.ts'
import { execHelm } from '../../testdata/exec-helm.ts'
import { runCli } from '../../testdata/run-cli.ts'

let cwd = ''
let server: ChartServer
const chart = chartOf('cart', '1.0.0', 'appVersion: "1.10"\nkeywords: [a, "no"]\nsources: [https://example.com]\n')

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'lading-show-'))
  server = await startChartServer()
  server.offer(chart, chartOf('cart', '0.9.0'))
  await writeFile(join(cwd, chart.fileName), chart.archive)
})
afterAll(async () => {
  await server.stop()
  await rm(cwd, { recursive: true })
})

const lading = (command: string) => runCli({ cwd, env: { HOME: cwd } }, ...command.split(' '))

it.runIf(noNpmClients === undefined).for(['chart', 'values', 'readme', 'crds', 'all'])(
  'show %s prints what the real helm prints',
  async (part) => {
    const { helm } = (await npmClients())!
    const theirs = await execHelm(helm, cwd, 'show', part, chart.fileName)
    expect(await lading(`show ${part} ${chart.fileName}`)).toEqual({ code: 0, stdout: theirs.stdout, stderr: '' })
  },
)

it.runIf(noNpmClients === undefined)('of a chart of v1 the dependencies in requirements.yaml are shown', async () => {
  const { helm } = (await npmClients())!
  await mkdir(join(cwd, 'old'))
  await writeFile(join(cwd, 'old/Chart.yaml'), 'name: old\nversion: 1.0.0\n')
  await writeFile(
    join(cwd, 'old/requirements.yaml'),
    'dependencies: [{name: cart, version: ^1, alias: c, tags: [x]}]\n',
  )
  const { stdout } = await execHelm(helm, cwd, 'show', 'chart', 'old')
  expect(stdout).toContain('alias: c')
  expect(await lading('show chart old')).toMatchObject({ code: 0, stdout })
})

it('a chart is shown wherever it lies', async () => {
  await lading(`repo add main ${server.url}`)
  const { stdout } = await lading(`show chart ${chart.fileName}`)
  for (const text of ['main/cart', `cart --repo ${server.url}`, `${server.url}/cart-1.0.0.tgz`]) {
    expect(await lading(`show chart ${text}`)).toMatchObject({ code: 0, stdout })
  }
  expect((await lading('show chart main/cart --version <1 -o json')).stdout).toContain('"version": "0.9.0"')
  expect(await lading('show chart main/none')).toMatchObject({ code: 8 })
  expect(await lading('show chart none/cart')).toMatchObject({ code: 8 })
  expect(await lading('show chart ./none')).toMatchObject({ code: 3 })
})
