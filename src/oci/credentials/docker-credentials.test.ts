import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { context, type LadingError, manualClock } from '../../core/index.ts'
import { startRegistry } from '../../sandbox/index.ts'
import type { Credential } from './credential.ts'
import { dockerCredentials } from './docker-credentials.ts'
import { login, logout } from './login.ts'

const ctx = context()
const auth = (user: string, password: string) => Buffer.from(`${user}:${password}`).toString('base64')
let home: string
let env: NodeJS.ProcessEnv

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'lading-home-'))
  onTestFinished(() => rm(home, { recursive: true }))
  env = {
    HOME: home,
    PATH: `${join(home, 'bin')}${delimiter}${process.env['PATH']}`,
    HELPER_FILE: join(home, 'kept.json'),
  }
})

describe('the docker config', () => {
  it.each<[string, object, string, Credential | undefined]>([
    ['a host', { 'h.io': { auth: auth('jane', 'a:b') } }, 'h.io', { username: 'jane', password: 'a:b' }],
    ['a host and port', { 'h.io:5000': { auth: auth('jane', 'x') } }, 'h.io:5000', { username: 'jane', password: 'x' }],
    ['another port', { 'h.io:5000': { auth: auth('jane', 'x') } }, 'h.io', undefined],
    ['a host inside of another', { 'h.io': { auth: auth('jane', 'x') } }, 'evil-h.io', undefined],
    ['a host that begins like another', { 'h.io': { auth: auth('jane', 'x') } }, 'h.io.evil.com', undefined],
    ['an old URL', { 'https://h.io/v1/': { auth: auth('jane', 'x') } }, 'h.io', { username: 'jane', password: 'x' }],
    ['an URL of plain HTTP', { 'http://h.io': { auth: auth('jane', 'x') } }, 'h.io', undefined],
    [
      'Docker Hub',
      { 'https://index.docker.io/v1/': { auth: auth('jane', 'x') } },
      'docker.io',
      { username: 'jane', password: 'x' },
    ],
    ['an identity token', { 'h.io': { auth: auth('0', 'x'), identitytoken: 't' } }, 'h.io', { refreshToken: 't' }],
    ['a registry token', { 'h.io': { registrytoken: 't' } }, 'h.io', { accessToken: 't' }],
    ['plain names', { 'h.io': { username: 'a', password: 'b' } }, 'h.io', { username: 'a', password: 'b' }],
    ['an empty entry', { 'h.io': {} }, 'h.io', undefined],
    ['a part of a registry', { 'h.io/team': { auth: auth('t', 'x') } }, 'h.io', { username: 't', password: 'x' }],
    ['another part', { 'h.io/tea': { auth: auth('t', 'x') } }, 'h.io', undefined],
  ])('is asked for %s', async (_what, auths, registry, expected) => {
    await writeDockerConfig({ auths })
    const wanted = { registry, repository: 'team/app', plainHttp: false }
    expect(await dockerCredentials({ env, home })(wanted, ctx)).toEqual(expected)
  })

  it('never gives what is for https to plain HTTP', async () => {
    await writeDockerConfig({ auths: { 'https://h.io': { auth: auth('jane', 'x') } } })
    const source = dockerCredentials({ env, home })
    expect(await source({ registry: 'h.io', plainHttp: true }, ctx)).toBeUndefined()
    expect(await source({ registry: 'h.io', plainHttp: false }, ctx)).toBeDefined()
  })

  it('is searched before those of containers, in the places that the environment names', async () => {
    const source = (more: NodeJS.ProcessEnv) => dockerCredentials({ env: { ...env, ...more }, home })
    const wanted = { registry: 'h.io', plainHttp: false }
    await writeJson(join(home, '.config/containers/auth.json'), { auths: { 'h.io': { auth: auth('podman', 'x') } } })
    expect(await source({})(wanted, ctx)).toMatchObject({ username: 'podman' })
    await writeJson(join(home, 'run/containers/auth.json'), { auths: { 'h.io': { auth: auth('running', 'x') } } })
    expect(await source({ XDG_RUNTIME_DIR: join(home, 'run') })(wanted, ctx)).toMatchObject({ username: 'running' })
    await writeJson(join(home, 'elsewhere/config.json'), { auths: { 'h.io': { auth: auth('docker', 'x') } } })
    expect(await source({ DOCKER_CONFIG: join(home, 'elsewhere') })(wanted, ctx)).toMatchObject({ username: 'docker' })
  })

  it('that is no JSON is named, and not quoted', async () => {
    await mkdir(join(home, '.docker'))
    await writeFile(join(home, '.docker/config.json'), '{"auths": hunter2')
    const error = await failure(() => dockerCredentials({ env, home })({ registry: 'h.io', plainHttp: false }, ctx))
    expect(error.code).toBe('oci.credentials-invalid')
    expect(error.message).toContain('config.json is no JSON')
    expect(`${error.message}${String(error.cause)}`).not.toContain('hunter2')
  })
})

describe('a credential helper', () => {
  const wanted = { registry: 'h.io', plainHttp: false }

  it('is asked by name, for its registry before the others', async () => {
    await installHelper('own', '{"ServerURL":"h.io","Username":"own","Secret":"s"}')
    await installHelper('all', '{"ServerURL":"","Username":"<token>","Secret":"t"}')
    await writeDockerConfig({ credsStore: 'all', credHelpers: { 'h.io': 'own' } })
    const source = dockerCredentials({ env, home })
    expect(await source(wanted, ctx)).toEqual({ username: 'own', password: 's' })
    expect(await source({ ...wanted, registry: 'other.io' }, ctx)).toEqual({ refreshToken: 't' })
  })

  it('that knows nothing leaves it to the file', async () => {
    await installHelper('none', 'credentials not found in native keychain', 1)
    await writeDockerConfig({ credsStore: 'none', auths: { 'h.io': { auth: auth('file', 'x') } } })
    expect(await dockerCredentials({ env, home })(wanted, ctx)).toEqual({ username: 'file', password: 'x' })
  })

  it.each([
    ['missing', undefined, 0, 'is not installed'],
    ['broken', 'hunter2', 3, 'failed with exit code 3'],
    ['babbling', 'hunter2', 0, 'gave no credential'],
  ])('that is %s is an error without secrets', async (name, output, exit, message) => {
    if (output !== undefined) await installHelper(name, output, exit)
    await writeDockerConfig({ credsStore: name })
    const error = await failure(() => dockerCredentials({ env, home })(wanted, ctx))
    expect(error.code).toBe('oci.credential-helper')
    expect(error.message).toContain(message)
    expect(`${error.message}${JSON.stringify(error)}${String(error.cause)}`).not.toContain('hunter2')
  })

  it('that hangs is ended after a minute', async () => {
    const clock = manualClock()
    await installHelper('hanging', undefined)
    const path = join(home, 'bin', 'docker-credential-hanging')
    await promisify(execFile)('mkfifo', [`${path}.fifo`])
    await writeFile(path, `#!/bin/sh\necho at work > '${path}.fifo'\nsleep 1000\n`, { mode: 0o755 })
    await writeDockerConfig({ credsStore: 'hanging' })
    const asked = failure(() => dockerCredentials({ env, home })(wanted, context({ clock })))
    await readFile(`${path}.fifo`)
    await clock.advance(60_000)
    expect((await asked).message).toBe(
      'the credential helper docker-credential-hanging did not end within 60 seconds (get)',
    )
  })

  it.each(['../../bin/sh', 'a b', 'x;touch /tmp/x', '$(id)', 'A'])('named %j is never run', async (name) => {
    await writeDockerConfig({ credsStore: name })
    const error = await failure(() => dockerCredentials({ env, home })(wanted, ctx))
    expect(error.message).toContain('is no name of a helper')
  })
})

describe('a login', () => {
  const credential = { username: 'jane', password: 'open sesame' }

  it('is proven, kept for its owner alone beside what else is there, and forgotten', async () => {
    const host = await registry()
    const file = join(home, '.docker/config.json')
    await writeDockerConfig({ HttpHeaders: { a: 'b' }, auths: { 'other.io': { auth: 'eA==', email: 'x' } } })
    await chmod(file, 0o644)
    expect(await login(host, credential, { plainHttp: true, env, home }, ctx)).toEqual({ registry: host, keptBy: file })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      HttpHeaders: { a: 'b' },
      auths: { 'other.io': { auth: 'eA==', email: 'x' }, [host]: { auth: auth('jane', 'open sesame') } },
    })
    const found = await dockerCredentials({ env, home })({ registry: host, plainHttp: true }, ctx)
    expect(found).toEqual(credential)
    expect(await logout(host, { env, home }, ctx)).toBe(true)
    expect(await logout(host, { env, home }, ctx)).toBe(false)
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ auths: { 'other.io': { email: 'x' } } })
  })

  it('that the registry refuses is not kept', async () => {
    const host = await registry()
    const wrong = { ...credential, password: 'hunter2' }
    const error = await failure(() => login(host, wrong, { plainHttp: true, env, home }, ctx))
    expect(error.code).toBe('oci.unauthorized')
    expect(`${error.message}${JSON.stringify(error)}`).not.toContain('hunter2')
    await expect(stat(join(home, '.docker'))).rejects.toThrow('ENOENT')
  })

  it('goes to the helper where one is configured, and not into the file', async () => {
    const host = await registry()
    await installHelper('file', undefined)
    await writeDockerConfig({ credsStore: 'file' })
    const { keptBy } = await login(host, credential, { plainHttp: true, env, home }, ctx)
    expect(keptBy).toBe('docker-credential-file')
    expect(JSON.parse(await readFile(join(home, 'kept.json'), 'utf8'))).toEqual({
      ServerURL: host,
      Username: 'jane',
      Secret: 'open sesame',
    })
    expect(await readFile(join(home, '.docker/config.json'), 'utf8')).not.toContain('auth":')
    expect(await dockerCredentials({ env, home })({ registry: host, plainHttp: true }, ctx)).toEqual(credential)
  })

  it('keeps a config file that is a link as one', async () => {
    const host = await registry()
    await writeJson(join(home, 'dotfiles/config.json'), {})
    await mkdir(join(home, '.docker'))
    await symlink(join(home, 'dotfiles/config.json'), join(home, '.docker/config.json'))
    await login(host, credential, { plainHttp: true, env, home }, ctx)
    expect(await readFile(join(home, 'dotfiles/config.json'), 'utf8')).toContain(host)
  })

  async function registry(): Promise<string> {
    const embedded = await startRegistry({ auth: { token: { user: 'jane', password: 'open sesame' } } })
    onTestFinished(() => embedded.stop())
    return embedded.host
  }
})

async function writeDockerConfig(config: object): Promise<void> {
  await writeJson(join(home, '.docker/config.json'), config)
}

async function writeJson(path: string, value: object): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, JSON.stringify(value))
}

/** A helper that prints something, or one that keeps what it is given in a file. */
async function installHelper(name: string, output: string | undefined, exit = 0): Promise<void> {
  const path = join(home, 'bin', `docker-credential-${name}`)
  await mkdir(join(home, 'bin'), { recursive: true })
  const keeper = 'case "$1" in store) cat > "$HELPER_FILE";; get) cat "$HELPER_FILE";; erase) rm "$HELPER_FILE";; esac'
  const printer = `cat > /dev/null\ncat <<'END'\n${output}\nEND\necho noise hunter2 >&2\nexit ${exit}`
  await writeFile(path, `#!/bin/sh\n${output === undefined ? keeper : printer}\n`, { mode: 0o755 })
}

async function failure(work: () => Promise<unknown>): Promise<LadingError> {
  return work().then(
    () => expect.fail('it worked'),
    (error: LadingError) => error,
  )
}
