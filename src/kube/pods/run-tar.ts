import { posix } from 'node:path'
import { type Context, LadingError, type ObjectRef } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { type ExecSession, type ExecStreamOptions, openExec } from './exec-session.ts'

/** The exit codes of runtimes that report a program that cannot be started as those of a shell do. */
const cannotStart = new Set([126, 127])
const keptBytes = 1000

/** Runs tar in a container; anything but success is an error that says what it said. */
export async function runTar(
  cluster: Cluster,
  pod: Pick<ObjectRef, 'namespace' | 'name'>,
  options: Omit<ExecStreamOptions, 'stderr'>,
  ctx: Context,
): Promise<void> {
  let said = ''
  const stderr = (chunk: Uint8Array): void => {
    said = (said + Buffer.from(chunk).toString('utf8')).slice(-keptBytes)
  }
  const { command, container, stdin, stdout } = options
  const streams = { stderr, stdin, stdout }
  const where = `pod ${pod.namespace}/${pod.name}`
  await using session = await openExec(cluster, pod, { command, ...streams, container }, ctx)
  if (stdin !== undefined && !session.closesStdin) {
    const message = 'the API server cannot close stdin of a command, which copying to a pod needs: Kubernetes 1.30 can'
    throw new LadingError('kube.unsupported', message)
  }
  const exitCode = await endOf(session, where)
  if (cannotStart.has(exitCode)) throw withoutTar(where)
  if (exitCode === 0) return
  const message = `tar in ${where} failed with exit code ${exitCode}: ${said.trim()}`
  throw new LadingError('kube.copy-failed', message, { exitCode })
}

async function endOf(session: ExecSession, where: string): Promise<number> {
  try {
    return await session.exitCode
  } catch (error) {
    // A command that could not be started has no exit code: the cluster reports an error of its own.
    if (error instanceof LadingError && error.code === 'kube.server-error') throw withoutTar(where, error)
    throw error
  }
}

function withoutTar(where: string, cause?: LadingError): LadingError {
  const reason = cause === undefined ? '' : `: ${cause.message}`
  const message = `tar could not be started in ${where}, and copying needs it in the container${reason}`
  return new LadingError('kube.copy-failed', message, {}, { cause })
}

/** The folder and the name of a path in a container; no name is taken for an option of tar. */
export function splitPodPath(path: string): { folder: string; name: string } {
  if (path === '' || path.includes('\0'))
    throw new LadingError('usage.invalid', 'the path in the pod is empty or has a NUL')
  const whole = posix.join(posix.isAbsolute(path) ? '/' : './', path).replace(/(?<=.)\/+$/, '')
  const name = posix.basename(whole)
  if (name === '' || name === '.' || name === '..') {
    throw new LadingError('usage.invalid', `${path} does not name a file or folder in the pod`, { path })
  }
  const folder = posix.dirname(whole)
  return { folder: folder.startsWith('-') ? `./${folder}` : folder, name }
}
