import { LadingError } from '../../../core/index.ts'
import { type RemoteFile, type RemoteRepository, withoutCredentials } from './remote.ts'

const url = /^(?:https?|ssh|git|file|git::\w+):\/\/|^git::|^\w[\w.-]*@[\w.-]+:/i
const wellKnownHost = /^(?:github\.com|gitlab\.com|bitbucket\.org|dev\.azure\.com|[\w.-]+\.visualstudio\.com)[/:]/i
const repository = /\.git(?:[/?]|$)|\/\/.*[?&]ref=|[?&]ref=|_git\//
const file = /\.(?:ya?ml|json)$|\/raw$|\/raw\/|\/releases\/download\//i

/** Whether a path names something on another host: a URL, a git address, or one of the spellings kustomize clones from. */
export function isRemote(path: string): boolean {
  return (
    !path.includes('\n') &&
    (url.test(path) ||
      wellKnownHost.test(path) ||
      (/^[\w-]+(\.[\w-]+)+(?::\d+)?\//.test(path) && repository.test(path)))
  )
}

/** A folder of a repository, or a single file. */
export type Remote =
  | RemoteFile
  | { readonly type: 'folder'; readonly repository: RemoteRepository; readonly path: string }

/**
 * Reads a remote path of `resources`, `components` or `bases` in kustomize's spelling. Kustomize asks for a file first and clones
 * where that fails; here the spelling decides, so that one address means one request.
 */
export function parseRemote(text: string): Remote {
  const bare = text.replace(/^git::/, '')
  const isForced = bare !== text
  if (/^(?!https?:)[a-z][a-z\d+-]*:\/\/|^[\w.-]+@[\w.-]+:/i.test(bare)) {
    throw refused(text, 'is not fetched: write it as https://HOST/ORG/REPO//PATH?ref=TAG')
  }
  const full = /^https?:\/\//i.test(bare) ? bare : `https://${bare}`
  const address = URL.parse(full)
  if (address === null || address.hostname === '') throw refused(text, 'is no address')
  // A URL is read without its dots, so they are looked for in the text.
  if (/(?:^|\/)(?:\.|%2e){2}(?:\/|$)/i.test(bare.replace(/\?.*$/s, '')))
    throw refused(text, 'leads out of its repository')
  if (address.password !== '' || (address.username !== '' && address.username !== 'git')) {
    throw refused(text, 'holds a user or a password, which do not belong into a kustomization')
  }
  address.username = ''
  if (!isForced && full === bare && !isRepository(address)) return { type: 'file', url: address.href }
  return folderOf(text, address)
}

/** The address of a single file, for what can only be a file. */
export function parseRemoteFile(text: string): RemoteFile {
  const address = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (address === null) throw refused(text, 'is no file that can be fetched: only https:// addresses are')
  if (address.username !== '' || address.password !== '') {
    throw refused(text, 'holds a user or a password, which do not belong into a kustomization')
  }
  return { type: 'file', url: address.href }
}

function isRepository({ host, pathname, searchParams }: URL): boolean {
  if (/\.git(?:\/|$)|\/\/|\/_git\//.test(pathname)) return true
  if (file.test(pathname)) return false
  return searchParams.has('ref') || searchParams.has('version') || wellKnownHost.test(`${host}/`)
}

function folderOf(text: string, address: URL): Remote {
  const { searchParams } = address
  const known = searchParams.get('ref') ?? ''
  const ref = known === '' ? (searchParams.get('version') ?? '') : known
  const submodules = searchParams.get('submodules')
  const timeoutMs = timeoutOf(searchParams.get('timeout'), text)
  const [root, path] = split(decoded(address.pathname) ?? '')
  if (root === '') throw refused(text, 'names no repository')
  const url = new URL(address.origin)
  url.pathname = `/${root}`
  return {
    type: 'folder',
    path,
    repository: {
      type: 'git',
      url: url.href,
      ref,
      // What Go reads as false; kustomize accepts them by default.
      submodules: submodules === null || !/^(?:0|f|false)$/i.test(submodules),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    },
  }
}

/** The repository and the folder in it: told apart by `_git/NAME`, `//` or `.git`, or after the organisation and the repository. */
function split(pathname: string): [root: string, path: string] {
  const text = pathname.replace(/^\/+/, '')
  const azure = /^(.*?_git\/[^/]+)(.*)$/.exec(text)
  const marked = azure ?? /^(.*?)\/\/(.*)$/.exec(text) ?? /^(.*?\.git)(?:\/(.*))?$/.exec(text)
  const parts = text.split('/')
  const [root, path] =
    marked === null ? [parts.slice(0, 2).join('/'), parts.slice(2).join('/')] : [marked[1]!, marked[2] ?? '']
  return [root.replace(/\/+$/, ''), path.replace(/^\/+|\/+$/g, '')]
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** A number of seconds, or a duration as Go writes them. */
function timeoutOf(text: string | null, path: string): number | undefined {
  if (text === null || text === '') return undefined
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
  const match = /^(\d+)(ms|s|m|h)?$/.exec(text)
  if (match === null || Number(match[1]) === 0) throw refused(path, 'has a timeout that is no duration, such as 30s')
  return Number(match[1]) * units[match[2] ?? 's']!
}

function refused(path: string, problem: string): LadingError {
  return new LadingError('kustomize.refused', `${withoutCredentials(path)} ${problem}`)
}
