import { execFile } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeFiles } from '../testing/write-files.ts'
import { runGitBackend } from './git-backend.ts'
import { openProcesses } from './processes.ts'

/** Bare git repositories in a folder, served over HTTP; anyone may fetch and push. */
export interface GitServer {
  readonly url: string
  readonly folder: string
  /** Makes `files` the whole content of branch main of a repository, which is created if need be. */
  commit(repository: string, files: Readonly<Record<string, string>>, message?: string): Promise<GitCommit>
  stop(): Promise<void>
}

/** Where a commit can be fetched from. */
export interface GitCommit {
  readonly url: string
  readonly branch: string
  readonly sha: string
}

/** Starts a git server in this process, on a temporary folder that is removed when it stops or this process ends. */
export async function startGitServer(): Promise<GitServer> {
  const processes = await openProcesses()
  const { folder } = processes
  const root = join(folder, 'git')
  await mkdir(root)
  const server = createServer((request, response) => runGitBackend(root, request, response))
  const url = await listen(server)
  return {
    url,
    folder: root,
    commit: async (repository, files, message = 'change') => {
      const name = `${repository}.git`
      const sha = await commitFiles(join(root, name), join(folder, `${repository}.work`), files, message)
      return { url: `${url}/${name}`, branch: 'main', sha }
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await processes.stop()
    },
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  server.unref()
  const address = server.address()
  return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`
}

async function commitFiles(
  bare: string,
  workTree: string,
  files: Readonly<Record<string, string>>,
  message: string,
): Promise<string> {
  await rm(workTree, { recursive: true, force: true })
  await mkdir(workTree)
  await writeFiles(workTree, files)
  await git(['init', '--quiet', '--bare', '--initial-branch=main', bare])
  await git(['-C', bare, 'config', 'http.receivepack', 'true'])
  const at = [`--git-dir=${bare}`, `--work-tree=${workTree}`]
  await git([...at, 'add', '--all'])
  await git([...at, 'commit', '--quiet', '--allow-empty', `--message=${message}`])
  return (await git([...at, 'rev-parse', 'HEAD'])).trim()
}

async function git(args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { env: { ...process.env, ...isolatedGit } })
  return stdout
}

/** Environment for git that leaves the configuration of the machine's user out of it. */
export const isolatedGit = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'testbed',
  GIT_AUTHOR_EMAIL: 'testbed@localhost',
  GIT_COMMITTER_NAME: 'testbed',
  GIT_COMMITTER_EMAIL: 'testbed@localhost',
} as const
