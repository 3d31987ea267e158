import { LadingError } from '../../../core/index.ts'

const url = /^(?:https?|ssh|git|file|git::\w+):\/\/|^git::|^\w[\w.-]*@[\w.-]+:/i
const wellKnownHost = /^(?:github\.com|gitlab\.com|bitbucket\.org|dev\.azure\.com|[\w.-]+\.visualstudio\.com)[/:]/i
const repository = /\.git(?:[/?]|$)|\/\/.*[?&]ref=|[?&]ref=|_git\//

/** Whether a path names something on another host: a URL, a git address, or one of the spellings kustomize clones from. */
export function isRemote(path: string): boolean {
  return (
    !path.includes('\n') &&
    (url.test(path) || wellKnownHost.test(path) || (/^[\w-]+(\.[\w-]+)+\//.test(path) && repository.test(path)))
  )
}

/** The refusal of a remote path. */
export function refuseRemote(path: string, allowed: readonly string[]): LadingError {
  const host = hostOf(path)
  if (!allowed.includes(host)) {
    const problem = `${withoutCredentials(path)} is on another host: remote files and bases are refused unless the host is allowed`
    return new LadingError('kustomize.refused', problem, { host })
  }
  const problem = `${withoutCredentials(path)} is remote: ${host} is allowed, but a build reads no network; fetch it into the tree first`
  return new LadingError('kustomize.refused', problem, { host })
}

function hostOf(path: string): string {
  const rest = path.replace(/^git::/, '').replace(/^[\w+-]+:\/\//, '')
  return rest.replace(/^[^/@]*@/, '').split(/[/:?]/)[0] ?? ''
}

function withoutCredentials(path: string): string {
  return path.replace(/\/\/[^/@]*@/, '//').replace(/^[^/@:]*:[^/@]*@/, '')
}
