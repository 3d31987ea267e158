import { homedir } from 'node:os'
import { type Context, isRecord, LadingError } from '../../core/index.ts'
import { parseRegistry } from '../reference.ts'
import { checkLogin, type RegistryOptions } from '../registry/open-repository.ts'
import { type ConfigFile, configPaths, readConfig, writeConfig } from './config-file.ts'
import { type Credential, staticCredential } from './credential.ts'
import type { DockerConfigOptions } from './docker-credentials.ts'
import { helperFor, keysOf, serverKey } from './match-auth.ts'
import { runHelper } from './run-helper.ts'

/** How to reach the registry, and whose config file is written; one environment for both. */
export interface LoginOptions extends Omit<RegistryOptions, 'credentials' | 'env'>, DockerConfigOptions {}

/** Where a login was written to. */
export interface LoginResult {
  readonly registry: string
  /** The config file, or the helper that keeps the secret. */
  readonly keptBy: string
}

/** Proves a credential to a registry and keeps it where docker would: in the configured helper, otherwise in the file. */
export async function login(
  registry: string,
  credential: Credential,
  options: LoginOptions,
  ctx: Context,
): Promise<LoginResult> {
  const host = parseRegistry(registry)
  const { user, secret } = userAndSecret(credential)
  await checkLogin(host, { ...options, credentials: staticCredential(host, credential) }, ctx)
  const { env, path, config } = await openConfig(options)
  const key = serverKey(host)
  const helper = helperFor(config, host)
  if (helper !== undefined) {
    await runHelper(helper, 'store', JSON.stringify({ ServerURL: key, Username: user, Secret: secret }), env, ctx)
    // Docker lists the registries that its helper has a login for.
    await writeConfig(path, withAuth(config, host, {}))
    return { registry: host, keptBy: `docker-credential-${helper}` }
  }
  const entry =
    credential.refreshToken === undefined
      ? { auth: Buffer.from(`${user}:${secret}`).toString('base64') }
      : { identitytoken: credential.refreshToken }
  await writeConfig(path, withAuth(config, host, entry))
  return { registry: host, keptBy: path }
}

/** Forgets the login of a registry; false where there was none. */
export async function logout(registry: string, options: DockerConfigOptions, ctx: Context): Promise<boolean> {
  const host = parseRegistry(registry)
  const { env, path, config } = await openConfig(options)
  const helper = helperFor(config, host)
  const erased = helper !== undefined && (await runHelper(helper, 'erase', serverKey(host), env, ctx)) !== undefined
  const keys = keysOf(config, host)
  if (keys.length > 0) await writeConfig(path, withoutAuths(config, keys))
  return erased || keys.length > 0
}

async function openConfig(
  options: DockerConfigOptions,
): Promise<{ env: NodeJS.ProcessEnv; path: string; config: ConfigFile }> {
  const { env = process.env, home = env['HOME'] || homedir() } = options
  const [path] = configPaths(env, home)
  return { env, path, config: (await readConfig(path)) ?? {} }
}

function userAndSecret({ username, password, refreshToken }: Credential): { user: string; secret: string } {
  if (refreshToken !== undefined) return { user: '<token>', secret: refreshToken }
  if (username === undefined || password === undefined || username === '' || username.includes(':')) {
    throw new LadingError('usage.invalid', 'a login needs a user without a colon, and a password')
  }
  return { user: username, secret: password }
}

function withAuth(config: ConfigFile, registry: string, entry: object): ConfigFile {
  const others = withoutAuths(config, keysOf(config, registry))
  return { ...others, auths: { ...(isRecord(others['auths']) && others['auths']), [serverKey(registry)]: entry } }
}

function withoutAuths(config: ConfigFile, keys: readonly string[]): ConfigFile {
  const auths = isRecord(config['auths']) ? config['auths'] : {}
  return { ...config, auths: Object.fromEntries(Object.entries(auths).filter(([key]) => !keys.includes(key))) }
}
