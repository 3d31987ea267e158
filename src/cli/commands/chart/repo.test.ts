import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../../testbed/npm-clients.ts'
import { type ChartServer, chartOf, startChartServer } from '../../../../testing/chart-server.ts'
import { execHelm } from '../../testdata/exec-helm.ts'
import { runCli } from '../../testdata/run-cli.ts'

let cwd = ''
let server: ChartServer

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'lading-repo-'))
  server = await startChartServer()
  server.offer(
    chartOf('shop', '1.0.0'),
    chartOf('shop', '1.1.0'),
    chartOf('shop', '2.0.0-rc.1'),
    chartOf('bank', '0.3.0', 'deprecated: true\n'),
  )
})
afterEach(async () => {
  await server.stop()
  await rm(cwd, { recursive: true })
})

const lading = (command: string, stdin?: string) =>
  runCli({ cwd, env: { HOME: cwd }, ...(stdin === undefined ? {} : { stdin }) }, ...command.split(' '))

it('repositories are added, listed, searched, updated and removed', async () => {
  expect(await lading(`repo add main ${server.url} -o json`)).toMatchObject({ code: 0 })
  const file = join(cwd, '.config/helm/repositories.yaml')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(JSON.parse((await lading('repo list -o json')).stdout)).toEqual([{ name: 'main', url: server.url }])
  const found = await lading('search repo SHOP -o json')
  expect(JSON.parse(found.stdout)).toMatchObject([{ name: 'main/shop', version: '1.1.0' }])
  expect(JSON.parse((await lading('search repo shop -l --devel -o json')).stdout)).toHaveLength(3)
  expect(JSON.parse((await lading('search repo --version ^1.0.0-0 shop -o json')).stdout)).toMatchObject([
    { version: '1.1.0' },
  ])
  server.offer(chartOf('shop', '1.2.0'))
  expect((await lading('repo update')).code).toBe(0)
  expect((await lading('search repo shop')).stdout).toContain('1.2.0')
  expect((await lading('repo remove main')).code).toBe(0)
  expect(JSON.parse((await lading('repo list -o json')).stdout)).toEqual([])
  expect((await lading('repo remove main')).code).toBe(8)
  expect((await lading('search repo shop')).stderr).toContain('there are no chart repositories to search')
})

it('adding the same again changes nothing, adding another address under the name is refused', async () => {
  await lading(`repo add main ${server.url}`)
  expect((await lading(`repo add main ${server.url}`)).stdout).toContain('unchanged')
  expect((await lading(`repo add main ${server.url}/other`)).code).toBe(6)
  server.files.set('other/index.yaml', 'apiVersion: v1\nentries: {}\n')
  expect((await lading(`repo add main ${server.url}/other --force-update`)).code).toBe(0)
})

it.runIf(noNpmClients === undefined)(
  'the real helm sees and uses what was added, and the other way round',
  async () => {
    const { helm } = (await npmClients())!
    await lading(`repo add main ${server.url}`)
    const listed = await execHelm(helm, cwd, 'search', 'repo', '-o', 'json')
    const names = (text: string) =>
      (JSON.parse(text) as { name: string; version: string }[]).map(({ name, version }) => `${name} ${version}`)
    expect(names(listed.stdout)).toEqual(names((await lading('search repo -o json')).stdout))
    await execHelm(helm, cwd, 'repo', 'add', 'second', server.url)
    expect((await lading('repo list')).stdout).toContain('second')
    const before = await readFile(join(cwd, '.config/helm/repositories.yaml'), 'utf8')
    await lading('repo remove second')
    await lading(`repo add second ${server.url}`)
    expect(await readFile(join(cwd, '.config/helm/repositories.yaml'), 'utf8')).toBe(before)
  },
)

it('the password stays with its host, and is shown nowhere', async () => {
  const other = await startChartServer()
  try {
    const chart = chartOf('shop', '1.0.0')
    server.offer(chart)
    server.files.set(
      'index.yaml',
      String(server.files.get('index.yaml')).replace('"shop-1.0.0.tgz"', `"${other.url}/shop-1.0.0.tgz"`),
    )
    other.offer(chart)
    const added = await lading(`repo add main ${server.url} --username me --password-stdin`, 'hush-hush\n')
    expect(added).toMatchObject({ code: 0 })
    expect(server.requests.at(-1)?.authorization).toMatch(/^Basic /)
    const pulled = await lading('pull main/shop')
    expect(pulled.code).toBe(0)
    expect(other.requests).toEqual([{ path: 'shop-1.0.0.tgz', authorization: undefined }])
    const shown = await lading('repo list -o yaml')
    expect(added.stdout + added.stderr + pulled.stdout + shown.stdout).not.toContain('hush')
    server.intercept = (request, response) => {
      if (request.url !== '/index.yaml') return false
      response.writeHead(302, { location: `${other.url}/index.yaml` }).end()
      return true
    }
    await lading('repo update')
    expect(other.requests.at(-1)).toEqual({ path: 'index.yaml', authorization: undefined })
  } finally {
    await other.stop()
  }
})

it.for<[string, string, number]>([
  ['a key twice', 'apiVersion: v1\nentries:\n  shop: []\n  shop: []\n', 3],
  ['no apiVersion', 'entries: {}\n', 3],
  ['not YAML', '{{', 3],
  ['no map', '- a\n', 3],
  [
    'an alias bomb',
    `apiVersion: v1\nentries:\n  a: &a [x, x, x, x, x, x, x, x, x, x]\n  b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n  c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\n  d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\n  e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\n  f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]\n  g: [*f, *f, *f, *f, *f, *f, *f, *f, *f, *f]\n`,
    3,
  ],
])('an index with %s is refused and nothing is added', async ([, index, code]) => {
  server.files.set('index.yaml', index)
  expect((await lading(`repo add main ${server.url}`)).code).toBe(code)
  expect(JSON.parse((await lading('repo list -o json')).stdout)).toEqual([])
})

it('a version that is listed twice with different content is refused when it is asked for', async () => {
  server.offer(
    chartOf('shop', '1.0.0'),
    chartOf('shop', '1.0.0', 'home: https://evil.example\n'),
    chartOf('shop', '0.9.0'),
  )
  await lading(`repo add main ${server.url}`)
  const refused = await lading('pull main/shop')
  expect(refused).toMatchObject({ code: 3 })
  expect(refused.stderr).toContain('twice')
  expect((await lading('pull main/shop --version 0.9.0')).code).toBe(0)
})

it('an archive that is not what the index says is refused and not written', async () => {
  await lading(`repo add main ${server.url}`)
  server.files.set('shop-1.1.0.tgz', chartOf('shop', '1.1.0', 'home: https://evil.example\n').archive)
  expect(await lading('pull main/shop')).toMatchObject({ code: 9 })
  await expect(stat(join(cwd, 'shop-1.1.0.tgz'))).rejects.toThrow('ENOENT')
  server.files.set('index.yaml', String(server.files.get('index.yaml')).replaceAll(/"digest":"[^"]*"/g, '"digest":""'))
  server.files.set('shop-1.1.0.tgz', chartOf('bank', '1.1.0').archive)
  await lading('repo update')
  const swapped = await lading('pull main/shop')
  expect(swapped.stderr).toContain('holds bank 1.1.0')
  expect(swapped.code).toBe(9)
})

it.for(['../evil', 'a/b', '', '.', 'x\u0000'])('%j is no name for a repository', async (name) => {
  const result = await runCli({ cwd, env: { HOME: cwd } }, 'repo', 'add', name, server.url)
  expect(result.code).toBe(2)
})

it.for(['file:///etc/passwd', 'ftp://example.com', 'oci://example.com/charts', 'https://me:hush@example.com'])(
  '%s is no address of a repository',
  async (url) => {
    const result = await lading(`repo add main ${url}`)
    expect(result.code).toBe(2)
    expect(result.stderr).not.toContain('hush')
  },
)

it('repositories.yaml is not written through a link', async () => {
  await writeFile(join(cwd, 'target'), 'apiVersion: ""\nrepositories: []\n')
  await symlink(join(cwd, 'target'), join(cwd, 'link.yaml'))
  const env = { HOME: cwd, HELM_REPOSITORY_CONFIG: join(cwd, 'link.yaml') }
  expect((await runCli({ cwd, env }, 'repo', 'add', 'main', server.url)).code).toBe(9)
  expect(await readFile(join(cwd, 'target'), 'utf8')).toBe('apiVersion: ""\nrepositories: []\n')
})
