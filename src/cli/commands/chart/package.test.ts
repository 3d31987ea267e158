import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { generateKey } from 'openpgp'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../../testbed/npm-clients.ts'
import { unpackTar } from '../../../oci/index.ts'
import { type Registry, startRegistry } from '../../../sandbox/index.ts'
import { chartOf, type ChartServer, startChartServer } from '../../../../testing/chart-server.ts'
import { execHelm } from '../../testdata/exec-helm.ts'
import { runCli } from '../../testdata/run-cli.ts'

let cwd = ''
let registry: Registry
let server: ChartServer

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'lading-package-'))
  registry = await startRegistry()
  server = await startChartServer()
  for (const name of ['signer', 'stranger']) {
    const keys = await generateKey({ userIDs: [{ name, email: `${name}@example.com` }], format: 'binary' })
    await writeFile(join(cwd, `${name}.pub`), keys.publicKey)
    await writeFile(join(cwd, `${name}.key`), keys.privateKey)
  }
  await write(
    'shop/Chart.yaml',
    chartYaml(
      'shop',
      'dependencies: [{name: cart, version: 1.0.0}]\nmaintainers: [{name: me, email: me@example.com}]\n',
    ),
  )
  await write('shop/values.yaml', '# kept\nreplicas: 1\n')
  await write('shop/values.schema.json', '{"type":"object"}')
  await write('shop/.helmignore', 'secret.txt\n')
  await write('shop/secret.txt', 'left out')
  await write('shop/README.md', '# Shop\n')
  await write('shop/templates/config.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\n')
  await write(`shop/files/${'deep/'.repeat(30)}long-name.txt`, 'far below')
  await write('shop/charts/cart/Chart.yaml', chartYaml('cart'))
  await write('shop/charts/cart/values.yaml', 'a: 1\n')
})
afterAll(async () => {
  await registry.stop()
  await server.stop()
  await rm(cwd, { recursive: true })
})
beforeEach(async () => {
  await rm(join(cwd, 'out'), { recursive: true, force: true })
  await mkdir(join(cwd, 'out'))
})

const lading = (command: string) => runCli({ cwd, env: { HOME: cwd } }, ...command.split(' '))
const chartYaml = (name: string, more = '') =>
  `apiVersion: v2\nname: ${name}\nversion: 1.0.0\nappVersion: "2"\ndescription: 'The: ${name}'\n${more}`

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(cwd, path)), { recursive: true })
  await writeFile(join(cwd, path), text)
}

async function contents(path: string): Promise<Record<string, string>> {
  const files = await unpackTar(await readFile(join(cwd, path)))
  return Object.fromEntries([...files].map(([name, { content }]) => [name, Buffer.from(content).toString()]))
}

it.runIf(noNpmClients === undefined)('an archive holds what the real helm packs, file by file', async () => {
  const { helm } = (await npmClients())!
  await lading('package shop -d out --version 1.2.3+b --app-version 9')
  await execHelm(helm, cwd, 'package', 'shop', '-d', 'theirs', '--version', '1.2.3+b', '--app-version', '9')
  const ours = await contents('out/shop-1.2.3+b.tgz')
  expect(ours).toEqual(await contents('theirs/shop-1.2.3+b.tgz'))
  expect(Object.keys(ours)).toContain('shop/charts/cart/Chart.yaml')
  expect(Object.keys(ours)).not.toContain('shop/secret.txt')
})

it.runIf(noNpmClients === undefined)('two versions of one subchart both stay what they are', async () => {
  const { helm } = (await npmClients())!
  const dependencies = ['1.0.0', '2.0.0'].map(
    (version) => `  - {name: cart, version: ${version}, alias: v${version[0]}}\n`,
  )
  await write('both/Chart.yaml', chartYaml('both', `dependencies:\n${dependencies.join('')}`))
  await mkdir(join(cwd, 'both/charts'))
  for (const version of ['1.0.0', '2.0.0']) {
    const { fileName, archive } = chartOf('cart', version)
    await writeFile(join(cwd, 'both/charts', fileName), archive)
  }
  expect(await lading('package both -d out')).toMatchObject({ code: 0 })
  expect(Object.keys(await contents('out/both-1.0.0.tgz'))).toContain('both/charts/cart-2.0.0.tgz')
  const fromFolder = await execHelm(helm, cwd, 'template', 'both')
  expect((await execHelm(helm, cwd, 'template', 'out/both-1.0.0.tgz')).stdout).toBe(fromFolder.stdout)
})

it('the same chart gives the same bytes, and unpacks to what it was', async () => {
  const digest = async () =>
    (JSON.parse((await lading('package shop -d out -o json')).stdout) as [{ digest: string }])[0].digest
  expect(await digest()).toBe(await digest())
  const pulled = await lading('push oci-layout:layout out/shop-1.0.0.tgz -o json')
  expect(pulled.code).toBe(2)
  expect((await contents('out/shop-1.0.0.tgz'))[`shop/files/${'deep/'.repeat(30)}long-name.txt`]).toBe('far below')
})

it('a chart without its dependencies, or with a bad version, is not packed', async () => {
  await write('alone/Chart.yaml', chartYaml('alone', 'dependencies: [{name: cart, version: 1.0.0}]\n'))
  expect((await lading('package alone -d out')).stderr).toContain('missing in charts/ directory: cart')
  expect((await lading('package shop -d out --version 1.x')).code).toBe(3)
  expect(await readdir(join(cwd, 'out'))).toEqual([])
})

it.runIf(noNpmClients === undefined)(
  'a chart that Lading signed is verified by the real helm, and one that helm signed by Lading',
  async () => {
    const { helm } = (await npmClients())!
    expect(await lading('package shop -d out --sign --key signer --keyring signer.key')).toMatchObject({ code: 0 })
    const good = await execHelm(helm, cwd, 'verify', 'out/shop-1.0.0.tgz', '--keyring', 'signer.pub')
    expect(good.stdout + good.stderr).toContain('Signed by: signer')
    const verify = (keyring: string) => lading(`verify out/shop-1.0.0.tgz --keyring ${keyring} -o json`)
    expect(JSON.parse((await verify('signer.pub')).stdout)).toMatchObject({ signedBy: 'signer <signer@example.com>' })
    expect(await verify('stranger.pub')).toMatchObject({ code: 9, stdout: '' })
    expect(await lading('verify out/shop-1.0.0.tgz')).toMatchObject({ code: 2 })
    const theirs = await execHelm(
      helm,
      cwd,
      'package',
      'shop',
      '-d',
      'signed',
      '--sign',
      '--key',
      'signer',
      '--keyring',
      'signer.key',
    )
    expect(theirs).toMatchObject({ code: 0 })
    for (const suffix of ['', '.prov'])
      server.files.set(`shop-1.0.0.tgz${suffix}`, await readFile(join(cwd, `signed/shop-1.0.0.tgz${suffix}`)))
    const pulled = await lading(
      `pull ${server.url}/shop-1.0.0.tgz --keyring signer.pub --output-dir out/pulled -o json`,
    )
    expect(JSON.parse(pulled.stdout)).toMatchObject({ signedBy: 'signer <signer@example.com>' })
  },
)

it('a chart is refused whose provenance is missing, of another key, of another file, changed, or unsigned', async () => {
  await lading('package shop -d out --sign --key signer --keyring signer.key')
  const archive = await readFile(join(cwd, 'out/shop-1.0.0.tgz'))
  const provenance = await readFile(join(cwd, 'out/shop-1.0.0.tgz.prov'), 'utf8')
  const pull = async (prov: string | undefined, keyring: string) => {
    server.files.set('shop-1.0.0.tgz', archive)
    if (prov === undefined) server.files.delete('shop-1.0.0.tgz.prov')
    else server.files.set('shop-1.0.0.tgz.prov', prov)
    return lading(`pull ${server.url}/shop-1.0.0.tgz --keyring ${keyring} --output-dir out/pulled`)
  }
  await lading('package shop -d out/other --version 1.0.1 --sign --key signer --keyring signer.key')
  const other = await readFile(join(cwd, 'out/other/shop-1.0.1.tgz.prov'), 'utf8')
  const cases: [string | undefined, string][] = [
    [undefined, 'signer.pub'],
    [provenance, 'stranger.pub'],
    [other, 'signer.pub'],
    [provenance.replace('version: 1.0.0', 'version: 6.6.6'), 'signer.pub'],
    [provenance.replace(/-----BEGIN PGP SIGNATURE[^]*/, ''), 'signer.pub'],
    ['', 'signer.pub'],
  ]
  for (const [prov, keyring] of cases) expect(await pull(prov, keyring)).toMatchObject({ code: 9, stdout: '' })
  server.files.set('shop-1.0.0.tgz', await readFile(join(cwd, 'out/other/shop-1.0.1.tgz')))
  expect(await pull(provenance, 'shop/values.yaml')).toMatchObject({ code: 3 })
  expect(await readdir(join(cwd, 'out'))).not.toContain('pulled')
  expect(await pull(provenance, 'signer.pub')).toMatchObject({ code: 0 })
})

it.runIf(noNpmClients === undefined)(
  'a chart that was pushed is pulled by the real helm, and one that helm pushed by Lading',
  async () => {
    const { helm } = (await npmClients())!
    const pushed = await lading(`push oci://${registry.host}/charts shop --plain-http -o json`)
    expect(JSON.parse(pushed.stdout)).toMatchObject({ tag: '1.0.0' })
    expect(
      await execHelm(helm, cwd, 'pull', `oci://${registry.host}/charts/shop`, '--plain-http', '-d', 'out'),
    ).toMatchObject({ code: 0 })
    await lading('package shop -d packed')
    expect(await contents('out/shop-1.0.0.tgz')).toEqual(await contents('packed/shop-1.0.0.tgz'))
    await execHelm(helm, cwd, 'package', 'shop', '-d', 'out', '--version', '2.0.0+x')
    expect(
      await execHelm(helm, cwd, 'push', 'out/shop-2.0.0+x.tgz', `oci://${registry.host}/charts`, '--plain-http'),
    ).toMatchObject({ code: 0 })
    const pulled = await lading(
      `pull oci://${registry.host}/charts/shop --version >=1 --plain-http --untar --output-dir out`,
    )
    expect(pulled).toMatchObject({ code: 0 })
    expect(await readFile(join(cwd, 'out/shop/Chart.yaml'), 'utf8')).toContain('version: 2.0.0+x')
    const again = await lading(
      `pull oci://${registry.host}/charts/shop --version >=1 --plain-http --untar --output-dir out`,
    )
    expect(again.stderr).toContain('exists already')
    const newest = await lading(`pull oci://${registry.host}/charts/shop --plain-http --output-dir out/newest -o json`)
    expect(JSON.parse(newest.stdout)).toMatchObject({ version: '2.0.0+x' })
  },
)

it('a chart is pushed as objects where that is asked for, and options that would do nothing are refused', async () => {
  expect(await lading(`push oci://${registry.host}/rendered:v1 shop --render --plain-http`)).toMatchObject({ code: 0 })
  expect((await lading(`pull oci://${registry.host}/rendered:v1 --plain-http`)).stdout).toContain('kind: ConfigMap')
  expect(await lading(`push oci://${registry.host}/rendered:v1 shop --set a=1 --plain-http`)).toMatchObject({ code: 2 })
  expect(
    await lading(`push oci://${registry.host}/rendered:v1 shop/README.md --format helm --plain-http`),
  ).toMatchObject({ code: 3 })
})

it('package puts a chart that is linked from beside it into the archive, and warns; further links need --follow-links', async () => {
  await write('linking/Chart.yaml', chartYaml('linking'))
  await write('beside/Chart.yaml', chartYaml('beside'))
  await write('beside/values.yaml', 'port: 1\n')
  await write('linking/charts/.keep', '')
  await symlink('../../beside', join(cwd, 'linking/charts/beside'))
  const packed = await lading('package linking -d out -o json')
  expect(packed.stderr).toContain('charts/beside is a symlink that leads out of the chart')
  const [first] = JSON.parse(packed.stdout) as [{ file: string; digest: string }]
  const files = await unpackTar(await readFile(first.file))
  expect(String(files.get('linking/charts/beside/values.yaml')?.content)).toBe('port: 1\n')
  await write('beside/values.yaml', 'port: 2\n')
  const [second] = JSON.parse((await lading('package linking -d out -o json')).stdout) as [{ digest: string }]
  expect(second.digest).not.toBe(first.digest)
  await write('far/notes.txt', 'x')
  await symlink('../far/notes.txt', join(cwd, 'linking/notes.txt'))
  const refused = await lading('package linking -d out')
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain('--follow-links')
  expect((await lading('package linking -d out --follow-links')).code).toBe(0)
})
