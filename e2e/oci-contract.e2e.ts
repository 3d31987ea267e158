import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe as suite, expect, it, onTestFinished } from 'vitest'
import { context } from '../src/core/index.ts'
import {
  childrenOf,
  copy,
  describe,
  dockerCredentials,
  fetchAll,
  login,
  logout,
  maxManifestBytes,
  mediaTypes,
  openLayout,
  openRepository,
  parseManifest,
  type RegistryOptions,
  staticCredential,
  type Target,
} from '../src/oci/index.ts'
import { type ContractRegistry, registryContract } from '../src/oci/contract/index.ts'
import { ensureTool, type Registry, startRegistry } from '../testbed/index.ts'
import { peer } from '../testbed/peers.ts'

/** The first use of a program builds it. */
const buildTimeout = 30 * 60_000
const runner = { describe: suite, it, beforeAll, afterAll }
const ctx = context()

registryContract(runner, 'CNCF distribution', () => open(false))
registryContract(runner, 'CNCF distribution with passwords', () => open(true))

async function open(auth: boolean): Promise<ContractRegistry> {
  const registry = await startRegistry({ auth })
  return {
    open: (repository) => openRepository({ registry: registry.host, repository }, optionsFor(registry)),
    close: () => registry.stop(),
  }
}

suite('oras and Lading', () => {
  let oras: string
  let registry: Registry
  let folder: string

  beforeAll(async () => {
    oras = (await peer('oras')).path
    await ensureTool('registry')
    registry = await startRegistry({ auth: true })
  }, buildTimeout)

  afterAll(() => registry.stop())

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lading-oras-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(
      join(folder, 'config.json'),
      JSON.stringify({ auths: { [registry.host]: { auth: btoa(`${registry.user}:${registry.password}`) } } }),
    )
  })

  const repository = (name: string): Target => {
    const target = openRepository({ registry: registry.host, repository: name }, optionsFor(registry))
    onTestFinished(() => target.close())
    return target
  }
  const run = async (...args: string[]): Promise<string> => {
    const env = { ...process.env, DOCKER_CONFIG: folder, HOME: folder }
    const plain = args[0] === 'cp' ? ['--from-plain-http', '--to-plain-http'] : ['--plain-http']
    const { stdout } = await promisify(execFile)(oras, [...args, ...plain], {
      cwd: folder,
      env,
    })
    return stdout.trim()
  }

  it('Lading pulls what oras pushed', async () => {
    const content = Buffer.alloc(3_000_000, 'lading oras')
    await writeFile(join(folder, 'large.bin'), content)
    await run('push', '--artifact-type', 'application/demo', `${registry.host}/oras/pushed:v1`, 'large.bin')
    const target = repository('oras/pushed')
    const d = await target.resolve('v1', ctx)
    const manifest = parseManifest(await fetchAll(target, d, maxManifestBytes, ctx), d)
    const [config, layer] = childrenOf(manifest)
    expect(config?.mediaType).toBe(mediaTypes.ociEmpty)
    expect(manifest.artifactType).toBe('application/demo')
    expect(layer?.annotations?.['org.opencontainers.image.title']).toBe('large.bin')
    const pulled = await fetchAll(target, layer ?? d, 10_000_000, ctx)
    expect(content.equals(pulled)).toBe(true)
    expect(await run('resolve', `${registry.host}/oras/pushed:v1`)).toBe(d.digest)
  })

  it('oras pulls what Lading pushed, streamed and in pieces', async () => {
    const content = Buffer.alloc(2_500_000, 'lading pushes')
    const target = openRepository(
      { registry: registry.host, repository: 'lading/pushed' },
      { ...optionsFor(registry), chunkBytes: 1_000_000 },
    )
    onTestFinished(() => target.close())
    const title = { annotations: { 'org.opencontainers.image.title': 'made.bin' } }
    const layer = describe('application/octet-stream', content, title)
    const config = Buffer.from('{}')
    const emptyConfig = describe(mediaTypes.ociEmpty, config)
    await target.push(layer, () => chunks(content, 70_000), ctx)
    await target.push(emptyConfig, config, ctx)
    const manifest = Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: mediaTypes.ociManifest,
        artifactType: 'application/demo',
        config: emptyConfig,
        layers: [layer],
      }),
    )
    const d = describe(mediaTypes.ociManifest, manifest)
    await target.pushTagged(d, manifest, 'v1', ctx)
    expect(await run('resolve', `${registry.host}/lading/pushed:v1`)).toBe(d.digest)
    await run('pull', '--output', 'pulled', `${registry.host}/lading/pushed:v1`)
    expect(content.equals(await readFile(join(folder, 'pulled/made.bin')))).toBe(true)
    expect(await run('repo', 'tags', `${registry.host}/lading/pushed`)).toBe('v1')
  })

  it('see each other’s referrers, and copy to the same digests', async () => {
    await writeFile(join(folder, 'app.txt'), 'app')
    await writeFile(join(folder, 'sbom.json'), '{}')
    const from = `${registry.host}/oras/attached`
    await run('push', '--artifact-type', 'application/demo', `${from}:v1`, 'app.txt')
    await run('attach', '--artifact-type', 'application/sbom', `${from}:v1`, 'sbom.json')
    await run('cp', '--recursive', `${from}:v1`, `${registry.host}/oras/by-oras:v1`)

    const [source, byLading, byOras] = ['oras/attached', 'oras/by-lading', 'oras/by-oras'].map(repository)
    if (source === undefined || byLading === undefined || byOras === undefined) throw new Error('no targets')
    const root = await source.resolve('v1', ctx)
    for await (const _ of copy(source, 'v1', byLading, 'v1', { referrers: true }, ctx));
    const digests = async (target: Target): Promise<string[]> => [
      (await target.resolve('v1', ctx)).digest,
      ...(await target.referrers(root, undefined, ctx)).map(({ digest }) => digest),
    ]
    expect(await digests(byLading)).toEqual(await digests(source))
    expect(await digests(byLading)).toEqual(await digests(byOras))
    const discovered = await run('discover', '--format', 'json', `${registry.host}/oras/by-lading:v1`)
    expect(JSON.parse(discovered)).toMatchObject({ referrers: [{ artifactType: 'application/sbom' }] })
  })

  it('share image layouts', async () => {
    await writeFile(join(folder, 'app.txt'), 'in a layout')
    await run('push', `${registry.host}/oras/layout:v1`, 'app.txt')
    const layout = openLayout(join(folder, 'layout'))
    const source = repository('oras/layout')
    for await (const _ of copy(source, 'v1', layout, 'v1', {}, ctx));
    const { stdout } = await promisify(execFile)(oras, ['resolve', '--oci-layout', `${join(folder, 'layout')}:v1`])
    expect(stdout.trim()).toBe((await source.resolve('v1', ctx)).digest)
    await promisify(execFile)(oras, ['tag', '--oci-layout', `${join(folder, 'layout')}:v1`, 'v2'])
    expect(await layout.tags(ctx)).toEqual(['v1', 'v2'])
    expect((await layout.resolve('v2', ctx)).digest).toBe(stdout.trim())
  })

  it('use the same logins', async () => {
    const home = join(folder, 'home')
    await mkdir(home)
    const env = { ...process.env, DOCKER_CONFIG: home, HOME: home }
    const credential = { username: registry.user ?? '', password: registry.password ?? '' }
    await expect(
      login(registry.host, { ...credential, password: 'wrong' }, { plainHttp: true, env }, ctx),
    ).rejects.toThrow(expect.objectContaining({ code: 'oci.unauthorized' }))
    await login(registry.host, credential, { plainHttp: true, env }, ctx)
    await writeFile(join(folder, 'a.txt'), 'mine')
    const args = ['push', '--plain-http', `${registry.host}/oras/login:v1`, 'a.txt']
    await promisify(execFile)(oras, args, { cwd: folder, env })
    await promisify(execFile)(oras, ['logout', registry.host], { env })
    const anonymous = openRepository(`${registry.host}/oras/login`, {
      plainHttp: true,
      credentials: dockerCredentials({ env }),
    })
    onTestFinished(() => anonymous.close())
    await expect(anonymous.resolve('v1', ctx)).rejects.toThrow(expect.objectContaining({ code: 'oci.unauthorized' }))
    const again = ['login', '--plain-http', '-u', credential.username, '-p', credential.password, registry.host]
    await promisify(execFile)(oras, again, { env })
    const known = openRepository(`${registry.host}/oras/login`, {
      plainHttp: true,
      credentials: dockerCredentials({ env }),
    })
    onTestFinished(() => known.close())
    expect((await known.resolve('v1', ctx)).mediaType).toBe(mediaTypes.ociManifest)
    expect(await logout(registry.host, { env }, ctx)).toBe(true)
    expect(await logout(registry.host, { env }, ctx)).toBe(false)
  })
})

function optionsFor({ host, user, password }: Registry): RegistryOptions {
  const credential = user === undefined || password === undefined ? {} : { username: user, password }
  return { plainHttp: true, credentials: staticCredential(host, credential) }
}

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size)
}
