import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Registry, type RegistryOptions, startRegistry } from '../src/sandbox/index.ts'
import { registryCases } from '../src/sandbox/registry/testdata/registry-cases.ts'
import { ensureTool, startRegistry as startDistribution } from '../testbed/index.ts'
import { peer } from '../testbed/peers.ts'

/** The first use of a program builds it. */
const buildTimeout = 30 * 60_000
let oras: string
let folder: string

beforeAll(async () => {
  oras = (await peer('oras')).path
  await ensureTool('registry')
}, buildTimeout)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lading-oras-'))
  onTestFinished(() => rm(folder, { recursive: true }))
})

describe('CNCF distribution, which the cases of the embedded registry hold for too', () => {
  registryCases(startDistribution)
})

describe.each([
  ['in memory', 'memory'],
  ['on image layouts', 'layout'],
] as const)('oras and the registry %s', (_where, kind) => {
  let registry: Registry
  let layout: string

  beforeAll(async () => {
    layout = await mkdtemp(join(tmpdir(), 'lading-registry-'))
    registry = await startRegistry(kind === 'memory' ? {} : { storage: { layout } })
  })

  afterAll(async () => {
    await registry.stop()
    await rm(layout, { recursive: true })
  })

  it('push and pull files', async () => {
    await writeFile(join(folder, 'hello.txt'), 'hello')
    await writeFile(join(folder, 'large.bin'), Buffer.alloc(20 * 1024 * 1024, 'lading'))
    const reference = `${registry.host}/demo/files:v1`
    await run('push', '--artifact-type', 'application/demo', reference, 'hello.txt:text/plain', 'large.bin')
    await run('pull', '--output', 'pulled', reference)
    expect(await readFile(join(folder, 'pulled/hello.txt'), 'utf8')).toBe('hello')
    const [sent, got] = await Promise.all(['large.bin', 'pulled/large.bin'].map((file) => readFile(join(folder, file))))
    expect(sent?.equals(got ?? Buffer.alloc(0))).toBe(true)
  })

  it('attach, discover and copy with all that refers to it', async () => {
    await writeFile(join(folder, 'app.txt'), 'app')
    await writeFile(join(folder, 'sbom.json'), '{}')
    const reference = `${registry.host}/demo/attach:v1`
    await run('push', '--artifact-type', 'application/demo', reference, 'app.txt')
    await run('attach', '--artifact-type', 'application/sbom', reference, 'sbom.json')
    await run('attach', '--artifact-type', 'application/signature', '--annotation', 'by=me', reference)
    const types = async (subject: string, ...args: string[]): Promise<string[]> => {
      const { referrers } = JSON.parse(await run('discover', '--format', 'json', ...args, subject)) as Discovered
      return referrers.map(({ artifactType }) => artifactType).sort()
    }
    expect(await types(reference)).toEqual(['application/sbom', 'application/signature'])
    expect(await types(reference, '--artifact-type', 'application/sbom')).toEqual(['application/sbom'])
    const copy = `${registry.host}/demo/copy:v1`
    await run('cp', '--recursive', reference, copy)
    expect(await types(copy)).toEqual(['application/sbom', 'application/signature'])
    // The fallback tag of registries without referrers must not appear.
    expect((await run('repo', 'tags', `${registry.host}/demo/attach`)).split('\n')).toEqual(['v1'])
  })

  it('tag, list, show and delete', async () => {
    await writeFile(join(folder, 'a.txt'), 'a')
    const repository = `${registry.host}/demo/tags`
    await run('push', `${repository}:v1`, 'a.txt')
    await run('tag', `${repository}:v1`, 'v2', 'latest')
    expect(await run('repo', 'tags', repository)).toBe('latest\nv1\nv2')
    expect((await run('repo', 'ls', registry.host)).split('\n')).toContain('demo/tags')
    const { digest } = JSON.parse(await run('manifest', 'fetch', '--descriptor', `${repository}:v2`)) as {
      digest: string
    }
    expect(await run('resolve', `${repository}:latest`)).toBe(digest)
    await run('manifest', 'delete', '--force', `${repository}@${digest}`)
    expect(await run('repo', 'tags', repository)).toBe('')
  })

  it('push an index of platforms', async () => {
    const repository = `${registry.host}/demo/index`
    for (const platform of ['linux/amd64', 'linux/arm64']) {
      const tag = platform.replace('/', '-')
      await writeFile(join(folder, 'a.txt'), platform)
      await run('push', '--artifact-platform', platform, `${repository}:${tag}`, 'a.txt')
    }
    await run('manifest', 'index', 'create', `${repository}:all`, 'linux-amd64', 'linux-arm64')
    await run('pull', '--platform', 'linux/arm64', '--output', 'pulled', `${repository}:all`)
    expect(await readFile(join(folder, 'pulled/a.txt'), 'utf8')).toBe('linux/arm64')
  })

  it('upload, fetch and delete blobs', async () => {
    await writeFile(join(folder, 'blob.bin'), 'some bytes')
    const repository = `${registry.host}/demo/blobs`
    const { digest } = JSON.parse(await run('blob', 'push', '--descriptor', repository, 'blob.bin')) as {
      digest: string
    }
    expect(await run('blob', 'fetch', '--output', '-', `${repository}@${digest}`)).toBe('some bytes')
    await run('blob', 'delete', '--force', `${repository}@${digest}`)
    await expect(run('blob', 'fetch', '--output', '-', `${repository}@${digest}`)).rejects.toThrow('not found')
  })

  it('copy from and to CNCF distribution', async () => {
    const distribution = await startDistribution()
    onTestFinished(() => distribution.stop())
    await writeFile(join(folder, 'a.txt'), 'far')
    await run('push', `${distribution.host}/demo/far:v1`, 'a.txt')
    await run('cp', `${distribution.host}/demo/far:v1`, `${registry.host}/demo/near:v1`)
    await run('cp', `${registry.host}/demo/near:v1`, `${distribution.host}/demo/back:v1`)
    const digests = [
      `${distribution.host}/demo/far:v1`,
      `${registry.host}/demo/near:v1`,
      `${distribution.host}/demo/back:v1`,
    ]
    expect(new Set(await Promise.all(digests.map((reference) => run('resolve', reference)))).size).toBe(1)
  })

  it.runIf(kind === 'layout')('share a layout that is read directly', async () => {
    await writeFile(join(folder, 'a.txt'), 'direct')
    await run('push', `${registry.host}/demo/direct:v1`, 'a.txt')
    await run('pull', '--oci-layout', '--output', 'pulled', `${layout}/demo/direct:v1`)
    expect(await readFile(join(folder, 'pulled/a.txt'), 'utf8')).toBe('direct')
    await run('cp', '--to-oci-layout', `${registry.host}/demo/direct:v1`, `${layout}/demo/written:v9`)
    await run('pull', '--output', 'again', `${registry.host}/demo/written:v9`)
    expect(await readFile(join(folder, 'again/a.txt'), 'utf8')).toBe('direct')
  })
})

describe('oras logs in', () => {
  const credentials = { user: 'jane', password: 'secret' }

  it.each<[string, NonNullable<RegistryOptions['auth']>]>([
    ['with a password', { basic: credentials }],
    ['with a token for each scope', { token: credentials }],
  ])('%s', async (_how, auth) => {
    const registry = await startRegistry({ auth })
    onTestFinished(() => registry.stop())
    await writeFile(join(folder, 'a.txt'), 'mine')
    const reference = `${registry.host}/private/app:v1`
    await expect(run('push', reference, 'a.txt')).rejects.toThrow(/401|credential|unauthorized/)
    const login = ['--username', credentials.user, '--password', credentials.password]
    await run('push', ...login, reference, 'a.txt')
    await run(
      'cp',
      '--from-username',
      'jane',
      '--from-password',
      'secret',
      '--to-username',
      'jane',
      '--to-password',
      'secret',
      reference,
      `${registry.host}/private/copy:v1`,
    )
    await run('pull', ...login, '--output', 'pulled', `${registry.host}/private/copy:v1`)
    expect(await readFile(join(folder, 'pulled/a.txt'), 'utf8')).toBe('mine')
  })
})

interface Discovered {
  referrers: { artifactType: string }[]
}

/** Runs oras in the test's folder, without the user's own logins. It speaks plain HTTP to `localhost` without being told. */
async function run(...args: string[]): Promise<string> {
  const env = { ...process.env, DOCKER_CONFIG: folder, HOME: folder }
  const local = args.map((arg) => arg.replace(/^127\.0\.0\.1:/, 'localhost:'))
  const { stdout } = await promisify(execFile)(oras, local, { cwd: folder, env })
  return stdout.trim()
}
