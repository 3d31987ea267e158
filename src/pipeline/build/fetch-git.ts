import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { type Context, LadingError } from '../../core/index.ts'
import type { BuildPlan } from './build-plan.ts'

/** What was checked out. */
export interface Checkout {
  readonly folder: string
  readonly commit: string
  /** When the commit was made. */
  readonly time: Date
}

/**
 * Fetches one commit of a repository with the `git` program: shallow, without hooks, without asking for passwords, and without
 * submodules unless the plan wants them. Only the protocols that fetch are allowed, since others run commands.
 */
export async function fetchGit(
  source: NonNullable<BuildPlan['git_source']>,
  folder: string,
  ctx: Context,
): Promise<Checkout> {
  const { url, ref, commit, recurse_submodules: submodules } = source
  refuseOption(url, 'repository')
  if (!/^(?:https?|ssh|git|file):\/\/|^[\w.-]+@[\w.-]+:/.test(url)) {
    const problem = `${withoutUser(url)} is no repository that Lading fetches: give an https://, ssh:// or file:// address`
    throw new LadingError('config.invalid', problem, { field: 'repo' })
  }
  if (ref !== undefined) refuseOption(ref, 'branch')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const git = (...words: string[]): Promise<string> => run(words, folder, url, ctx)
  await git('init', '--quiet', '.')
  await git('remote', 'add', 'origin', url)
  await git('fetch', '--quiet', '--depth', '1', '--no-tags', '--', 'origin', commit ?? ref ?? 'HEAD')
  await git('checkout', '--quiet', '--detach', 'FETCH_HEAD')
  const [seconds = '0', found = ''] = (await git('rev-list', '--max-count=1', '--timestamp', 'HEAD')).trim().split(' ')
  if (commit !== undefined && found !== commit) {
    throw new LadingError('git.failed', `${withoutUser(url)} gave commit ${found} instead of ${commit}`, { commit })
  }
  if (submodules) await git('submodule', 'update', '--quiet', '--init', '--recursive', '--depth', '1')
  return { folder, commit: found, time: new Date(Number(seconds) * 1000) }
}

const settings = [
  'core.hooksPath=/dev/null',
  'protocol.ext.allow=never',
  'advice.detachedHead=false',
  'core.symlinks=true',
]

/** Whose git it is, and how the network is reached. */
const passedOn =
  'PATH HOME XDG_CONFIG_HOME SSH_AUTH_SOCK GIT_SSL_CAINFO GIT_SSL_CAPATH SSL_CERT_FILE SSL_CERT_DIR ' +
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy'

function run(words: readonly string[], folder: string, url: string, ctx: Context): Promise<string> {
  const args = [...settings.flatMap((setting) => ['-c', setting]), ...words]
  // Nothing of the environment that lets git run programs of somebody's choice.
  const kept = Object.fromEntries(passedOn.split(' ').map((name) => [name, process.env[name]]))
  const env = { ...kept, GIT_TERMINAL_PROMPT: '0', GIT_LFS_SKIP_SMUDGE: '1', LC_ALL: 'C' }
  return new Promise((resolve, reject) => {
    execFile('git', args, { cwd: folder, env, signal: ctx.signal, maxBuffer: 1 << 20 }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout)
      const address = withoutUser(url)
      if (ctx.signal.aborted) return reject(new LadingError('cancelled', `fetching ${address} was cancelled`))
      if (error.code === 'ENOENT') {
        return reject(new LadingError('git.failed', 'the program git is not installed, and a repository needs it'))
      }
      const last = withoutUser(stderr.trim().split('\n').at(-1) ?? '')
      reject(new LadingError('git.failed', `git ${words[0]} of ${address} failed: ${last}`, { url: address }))
    })
  })
}

function refuseOption(text: string, what: string): void {
  if (!text.startsWith('-')) return
  throw new LadingError('config.invalid', `a ${what} cannot begin with a dash`, { field: what })
}

/** An address without a user and a password, wherever it stands in a text. */
function withoutUser(text: string): string {
  return text.replace(/([a-z][a-z\d+.-]*:\/\/)[^/\s@]*@/gi, '$1')
}
