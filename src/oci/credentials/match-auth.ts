import { isRecord } from '../../core/index.ts'
import type { ConfigFile } from './config-file.ts'
import type { Credential, CredentialRequest } from './credential.ts'

/** The name under which docker itself keeps the login of Docker Hub. */
const dockerHubKey = 'https://index.docker.io/v1/'

/** The name of a registry in docker's config and for its helpers. */
export function serverKey(registry: string): string {
  return registry === 'docker.io' ? dockerHubKey : registry
}

/** The entry of `auths` for a registry; the most exact key wins, and none is used for another scheme, host or port. */
export function matchAuth(config: ConfigFile, wanted: CredentialRequest): Credential | undefined {
  const auths = config['auths']
  if (!isRecord(auths)) return undefined
  const keys = Object.keys(auths).filter((key) => matches(key, wanted))
  keys.sort((a, b) => precision(b) - precision(a))
  for (const key of keys) {
    const credential = readAuth(auths[key])
    if (credential !== undefined) return credential
  }
  return undefined
}

/** The helper that is named for a registry, or for all of them. */
export function helperFor(config: ConfigFile, registry: string): string | undefined {
  const helpers = config['credHelpers']
  const own = isRecord(helpers) ? (helpers[registry] ?? helpers[serverKey(registry)]) : undefined
  const name = own ?? config['credsStore']
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** The keys of `auths` that stand for a registry as a whole. */
export function keysOf(config: ConfigFile, registry: string): string[] {
  const auths = config['auths']
  if (!isRecord(auths)) return []
  return Object.keys(auths).filter((key) => split(key).host === registry && split(key).path === '')
}

function matches(key: string, { registry, repository, plainHttp }: CredentialRequest): boolean {
  const { scheme, host, path } = split(key)
  if (host !== registry || (scheme === 'https' && plainHttp) || (scheme === 'http' && !plainHttp)) return false
  return path === '' || repository === path || repository?.startsWith(`${path}/`) === true
}

/** Keys are hosts; docker's older ones are URLs whose path says nothing, containers' may name a part of a registry. */
function split(key: string): { scheme: string | undefined; host: string; path: string } {
  if (key === dockerHubKey) return { scheme: 'https', host: 'docker.io', path: '' }
  const [, scheme, host = '', path = ''] = /^(?:(https?):\/\/)?([^/]+)(?:\/(.*))?$/.exec(key) ?? []
  return { scheme, host: host === 'index.docker.io' ? 'docker.io' : host, path: scheme === undefined ? path : '' }
}

function precision(key: string): number {
  const { scheme, path } = split(key)
  return path.length * 2 + (scheme === undefined ? 1 : 0)
}

function readAuth(value: unknown): Credential | undefined {
  if (!isRecord(value)) return undefined
  const { auth, username, password, identitytoken, registrytoken } = value
  const token = text(registrytoken)
  if (token !== undefined) return { accessToken: token }
  const refresh = text(identitytoken)
  if (refresh !== undefined) return { refreshToken: refresh }
  const decoded = Buffer.from(text(auth) ?? '', 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon > 0) {
    // Some tools pad with zero bytes; docker strips them.
    const [user, secret] = [decoded.slice(0, colon), decoded.slice(colon + 1).replace(/\0+$/, '')]
    return user === '<token>' ? { refreshToken: secret } : { username: user, password: secret }
  }
  const [user, secret] = [text(username), text(password)]
  return user === undefined || secret === undefined ? undefined : { username: user, password: secret }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
