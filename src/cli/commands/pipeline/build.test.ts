import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { context } from '../../../core/index.ts'
import { openRepository, parseReference, pullArtifact } from '../../../oci/index.ts'
import { startRegistry } from '../../../sandbox/index.ts'
import { chartOf, startChartServer } from '../../../../testing/chart-server.ts'
import { runCli } from '../../testdata/run-cli.ts'

let root: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'lading-build-'))
  write('base/kustomization.yaml', 'resources: [config.yaml]\n')
  write('base/config.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  level: info\n')
  write('prod/kustomization.yaml', 'namePrefix: prod-\nresources: [../base]\n')
})

afterAll(() => {
  rmSync(root, { recursive: true })
})

it('build prints what an overlay over a base beside it comes to', async () => {
  const { code, stdout } = await runCli({ cwd: root }, 'build', 'prod')
  expect(code).toBe(0)
  expect(stdout).toBe('apiVersion: v1\ndata:\n  level: info\nkind: ConfigMap\nmetadata:\n  name: prod-settings\n')
})

it('build -o json prints the objects as JSON', async () => {
  const { stdout } = await runCli({ cwd: root }, 'build', 'prod', '-o', 'json')
  expect(JSON.parse(stdout)).toMatchObject([{ kind: 'ConfigMap', metadata: { name: 'prod-settings' } }])
})

it('build says in one sentence what is missing', async () => {
  const { code, stdout, stderr } = await runCli({ cwd: root }, 'build', 'nowhere')
  expect(code).toBe(3)
  expect(stdout).toBe('')
  expect(stderr).toContain('nowhere')
})

it('build fetches files and charts from hosts that are allowed, the same bytes twice, and sends nothing to others', async () => {
  const server = await startChartServer()
  onTestFinished(() => server.stop())
  const { host } = new URL(server.url)
  server.offer(chartOf('cart', '1.0.0'))
  server.files.set('a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: far\n')
  const chart = `{name: cart, version: 1.0.0, repo: "${server.url}", releaseName: c}`
  write('remote/kustomization.yaml', `resources: ["${server.url}/a.yaml"]\nhelmCharts: [${chart}]\n`)
  const build = (...more: string[]) => runCli({ cwd: root }, 'build', 'remote', '--enable-helm', ...more)
  const refused = await build()
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain(`--allow-remote ${host} `)
  expect((await build('--allow-remote', 'other.example')).stderr).toContain(`--allow-remote ${host} `)
  expect(server.requests).toEqual([])
  const built = await build('--allow-remote', host, '--remote-lock', 'remotes.json')
  expect(built).toMatchObject({ code: 0, stderr: '' })
  expect(built.stdout).toContain('name: c-config')
  expect(JSON.parse(readFileSync(join(root, 'remotes.json'), 'utf8'))).toMatchObject({
    remotes: [
      { type: 'chart', url: `${server.url}/`, name: 'cart', version: '1.0.0' },
      { type: 'file', url: `${server.url}/a.yaml` },
    ],
  })
  expect((await build('--allow-remote', host, '--remote-lock', 'remotes.json')).stdout).toBe(built.stdout)
  server.files.set('a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: changed\n')
  const changed = await build('--allow-remote', host, '--remote-lock', 'remotes.json')
  expect(changed.code).toBe(9)
  expect(changed.stderr).toContain('earlier build')
})

it('template -k fetches by the same flags, and push records in the artifact what was fetched', async () => {
  const [server, registry] = await Promise.all([startChartServer(), startRegistry()])
  onTestFinished(async () => void (await Promise.all([server.stop(), registry.stop()])))
  const { host } = new URL(server.url)
  server.files.set('a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: far\n')
  write('remote/kustomization.yaml', `resources: ["${server.url}/a.yaml"]\n`)
  expect((await runCli({ cwd: root }, 'template', '-k', 'remote')).stderr).toContain('--allow-remote')
  const shown = await runCli({ cwd: root }, 'template', '-k', 'remote', '--allow-remote', host)
  expect(shown.stdout).toContain('name: far')
  const reference = `oci://${registry.host}/shop:v1`
  const push = () =>
    runCli({ cwd: root }, 'push', reference, 'remote', '--allow-remote', host, '--plain-http', '-o', 'json')
  const [first, second] = [await push(), await push()].map(({ stdout }) => JSON.parse(stdout) as { digest: string })
  expect(first!.digest).toBe(second!.digest)
  const target = openRepository(parseReference(reference), { plainHttp: true })
  onTestFinished(() => target.close())
  const { metadata } = await pullArtifact(target, first!.digest, {}, context())
  expect(metadata.remotes).toMatchObject([{ type: 'file', url: `${server.url}/a.yaml` }])
})

it('build refuses flags that would do nothing', async () => {
  const build = (...more: string[]) => runCli({ cwd: root }, 'build', 'prod', ...more)
  expect((await build('--allow-unpinned')).stderr).toContain('--allow-remote')
  expect((await build('--remote-lock', 'x.json')).stderr).toContain('--allow-remote')
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
