import { LadingError } from '../../core/index.ts'

/** The streams that a process prints on. */
export interface Outputs {
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream
}

/**
 * Keeps work from ending half-way because it cannot be reported. Gives what tells, once everything was printed, whether something was
 * lost, as on a full disk. `onReaderGone` is called when nobody reads the data any more, as after `| head`.
 */
export function watchOutput(
  { stdout, stderr }: Outputs,
  onReaderGone: () => void,
): () => Promise<LadingError | undefined> {
  let lost: LadingError | undefined
  const failed = (stream: string, error: NodeJS.ErrnoException): void => {
    // A pipe that was closed, or a terminal that is gone: nobody misses what is not seen.
    if (error.code !== 'EPIPE' && error.code !== 'EIO') lost ??= lostError(stream, error)
  }
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    failed('standard output', error)
    // Data that nobody reads is not worth going on for; a full disk says nothing about who reads.
    if (error.code === 'EPIPE' || error.code === 'EIO') onReaderGone()
  })
  // Work must not end half-way because nobody looks at its progress.
  stderr.on('error', (error: NodeJS.ErrnoException) => failed('standard error', error))
  return async () => {
    await Promise.all([written(stdout), written(stderr)])
    return lost
  }
}

/** Waits until everything that was printed so far was written, or failed. */
function written(stream: NodeJS.WritableStream): Promise<void> {
  // Errors are told in an event after the callback.
  return new Promise((resolve) => stream.write('', () => setImmediate(resolve)))
}

function lostError(stream: string, error: NodeJS.ErrnoException): LadingError {
  const { code = error.name } = error
  const problem = `${stream} cannot be written (${code}): the command has done its work, but what it printed is not complete`
  return new LadingError('output.lost', problem, { stream, code }, { cause: error })
}
