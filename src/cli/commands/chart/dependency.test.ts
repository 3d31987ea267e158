import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../../testbed/npm-clients.ts'
import { unpackTar } from '../../../oci/index.ts'
import { type Registry, startRegistry } from '../../../sandbox/index.ts'
import { type ChartServer, chartOf, startChartServer } from '../../../../testing/chart-server.ts'
import { execHelm } from '../../testdata/exec-helm.ts'
import { runCli } from '../../testdata/run-cli.ts'

let cwd = ''
let server: ChartServer

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'lading-dependency-'))
  server = await startChartServer()
  server.offer(
    chartOf('cart', '1.0.0'),
    chartOf('cart', '1.3.0'),
    chartOf('cart', '2.0.0'),
    chartOf('cart', '2.1.0-rc.1'),
  )
})
afterEach(async () => {
  await server.stop()
  await rm(cwd, { recursive: true })
})

const lading = (command: string) => runCli({ cwd, env: { HOME: cwd } }, ...command.split(' '))

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(cwd, path)), { recursive: true })
  await writeFile(join(cwd, path), text)
}

async function writeChart(
  folder: string,
  name: string,
  dependencies: readonly object[],
  more: object = {},
): Promise<void> {
  await write(
    `${folder}/Chart.yaml`,
    JSON.stringify({ apiVersion: 'v2', name, version: '0.1.0', dependencies, ...more }),
  )
  await write(`${folder}/templates/a.yaml`, 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n')
}

const withoutTime = (lock: string) => lock.replace(/generated: .*/, '')

async function charts(folder: string): Promise<Record<string, Record<string, string>>> {
  const found: Record<string, Record<string, string>> = {}
  for (const file of (await readdir(join(cwd, folder, 'charts'))).sort()) {
    const files = await unpackTar(await readFile(join(cwd, folder, 'charts', file)))
    found[file] = Object.fromEntries([...files].map(([name, { content }]) => [name, Buffer.from(content).toString()]))
  }
  return found
}

it.runIf(noNpmClients === undefined)('update and build come to what the real helm comes to', async () => {
  const { helm } = (await npmClients())!
  await writeChart('near', 'near', [], {
    description: 'near <&> "by"',
    keywords: ['yes', '1.0'],
    annotations: { b: '2', a: 'x' },
  })
  await writeChart('ours', 'app', [
    { name: 'cart', version: '>=1.0 <2', repository: server.url, condition: 'cart.enabled', tags: ['b', 'a'] },
    { name: 'cart', version: '^1', repository: server.url, alias: 'second' },
    {
      name: 'near',
      version: '~0.1',
      repository: 'file://../near',
      'import-values': [{ parent: 'p', child: 'c' }, 'data'],
    },
  ])
  await cp(join(cwd, 'ours'), join(cwd, 'theirs'), { recursive: true })
  expect(await execHelm(helm, cwd, 'dependency', 'update', 'theirs')).toMatchObject({ code: 0 })
  expect(await lading('dependency update ours')).toMatchObject({ code: 0 })
  const [ours, theirs] = await Promise.all(
    ['ours', 'theirs'].map((folder) => readFile(join(cwd, folder, 'Chart.lock'), 'utf8')),
  )
  expect(withoutTime(ours!)).toBe(withoutTime(theirs!))
  expect(await charts('ours')).toEqual(await charts('theirs'))
  await rm(join(cwd, 'ours/charts'), { recursive: true })
  expect(await lading('dependency build ours')).toMatchObject({ code: 0 })
  expect(await charts('ours')).toEqual(await charts('theirs'))
  // A lock of one is good for the other.
  await execHelm(helm, cwd, 'repo', 'add', 'main', server.url)
  await writeFile(join(cwd, 'theirs/Chart.lock'), ours!)
  expect(await execHelm(helm, cwd, 'dependency', 'build', 'theirs')).toMatchObject({ code: 0 })
})

it.runIf(noNpmClients === undefined)(
  'repositories by name, and charts that lie in charts/, as in the real helm',
  async () => {
    const { helm } = (await npmClients())!
    await lading(`repo add main ${server.url}`)
    await writeChart('ours', 'app', [
      { name: 'cart', version: '*', repository: '@main' },
      { name: 'inner', version: '0.1.0', repository: '' },
    ])
    await writeChart('ours/charts/inner', 'inner', [])
    await cp(join(cwd, 'ours'), join(cwd, 'theirs'), { recursive: true })
    expect(await execHelm(helm, cwd, 'dependency', 'update', 'theirs')).toMatchObject({ code: 0 })
    expect(await lading('dependency update ours')).toMatchObject({ code: 0 })
    const [ours, theirs] = await Promise.all(
      ['ours', 'theirs'].map((folder) => readFile(join(cwd, folder, 'Chart.lock'), 'utf8')),
    )
    expect(withoutTime(ours!)).toBe(withoutTime(theirs!))
    expect(await readdir(join(cwd, 'ours/charts'))).toEqual(await readdir(join(cwd, 'theirs/charts')))
    const listed = JSON.parse((await lading('dependency list ours -o json')).stdout) as object[]
    expect(listed).toMatchObject([
      { name: 'cart', status: 'ok' },
      { name: 'inner', status: 'unpacked' },
    ])
  },
)

it('charts come out of a registry too, the newest that fits', async () => {
  const registry: Registry = await startRegistry()
  try {
    for (const chart of [chartOf('cart', '1.0.0'), chartOf('cart', '1.4.0+b'), chartOf('cart', '2.0.0')]) {
      await writeFile(join(cwd, chart.fileName), chart.archive)
      expect(await lading(`push oci://${registry.host}/charts ${chart.fileName} --plain-http`)).toMatchObject({
        code: 0,
      })
    }
    await writeChart('app', 'app', [{ name: 'cart', version: '^1', repository: `oci://${registry.host}/charts` }])
    expect(await lading('dependency update app --plain-http')).toMatchObject({ code: 0 })
    expect(Object.keys(await charts('app'))).toEqual(['cart-1.4.0+b.tgz'])
  } finally {
    await registry.stop()
  }
})

it('archives that nothing names any more are removed, other files stay', async () => {
  await writeChart('app', 'app', [{ name: 'cart', version: '1.0.0', repository: server.url }])
  await lading('dependency update app')
  await writeChart('app', 'app', [{ name: 'cart', version: '2.0.0', repository: server.url }])
  expect((await lading('dependency build app')).stderr).toContain('out of sync')
  const updated = await lading('dependency update app -o json')
  expect(JSON.parse(updated.stdout)).toMatchObject({
    saved: [{ version: '2.0.0' }],
    removed: ['charts/cart-1.0.0.tgz'],
  })
  expect(await readdir(join(cwd, 'app/charts'))).toEqual(['cart-2.0.0.tgz'])
})

it('what cannot be fetched leaves everything as it was', async () => {
  await writeChart('app', 'app', [
    { name: 'cart', version: '1.0.0', repository: server.url },
    { name: 'none', version: '1.0.0', repository: server.url },
  ])
  expect((await lading('dependency update app')).code).toBe(8)
  await expect(lstat(join(cwd, 'app/charts'))).rejects.toThrow('ENOENT')
  await expect(lstat(join(cwd, 'app/Chart.lock'))).rejects.toThrow('ENOENT')
})

it.for(['Chart.lock', 'charts', 'charts/cart-1.0.0.tgz'])('nothing is written through a link at %s', async (path) => {
  await writeChart('app', 'app', [{ name: 'cart', version: '1.0.0', repository: server.url }])
  await write('outside/precious', 'precious')
  await mkdir(dirname(join(cwd, 'app', path)), { recursive: true })
  await symlink(join(cwd, path === 'charts' ? 'outside' : 'outside/precious'), join(cwd, 'app', path))
  expect((await lading('dependency update app')).code).not.toBe(0)
  expect(await readFile(join(cwd, 'outside/precious'), 'utf8')).toBe('precious')
  expect(await readdir(join(cwd, 'outside'))).toEqual(['precious'])
})

it.for(['../evil', '..', 'a/b', '.hidden'])('a dependency named %j is refused', async (name) => {
  await writeChart('app', 'app', [{ name, version: '1.0.0', repository: server.url }])
  expect((await lading('dependency update app')).code).toBe(9)
})
