import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { LadingError } from './errors.ts'

/** How a file that a user named is read. */
export interface GivenFileOptions {
  /** The largest file (default: 64 MiB). */
  readonly maxBytes?: number
  readonly signal?: AbortSignal
}

const defaultMaxBytes = 64 * 1024 * 1024

/**
 * Reads a file that a user named, up to a limit of bytes. Regular files and pipes are read, as of `<(command)`; a device such as `/dev/zero`
 * is refused at once. What the file system says of a file that is missing or forbidden is thrown as it is.
 */
export async function readGivenFile(path: string, options: GivenFileOptions = {}): Promise<Buffer> {
  await refuseDevice(path)
  const { maxBytes = defaultMaxBytes, signal } = options
  return readLimited(createReadStream(path, signal === undefined ? {} : { signal }), path, maxBytes)
}

/** Reads a stream that a user named up to a limit of bytes, such as standard input. */
export async function readLimited(
  stream: AsyncIterable<Uint8Array | string>,
  name: string,
  maxBytes = defaultMaxBytes,
): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of stream) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    pieces.push(bytes)
    length += bytes.length
    if (length > maxBytes) {
      const problem = `${name} has more than the ${maxBytes} bytes that are allowed`
      throw new LadingError('input.too-large', problem, { file: name, maxBytes })
    }
  }
  return Buffer.concat(pieces)
}

/** Refuses a path that names a device, which may never end; `/dev/null`, and what stands for standard input, are read. */
export async function refuseDevice(path: string): Promise<void> {
  const found = await stat(path)
  if (!found.isCharacterDevice() && !found.isBlockDevice()) return
  if (/^\/dev\/(?:null|stdin|tty|fd\/\d+)$|^\/proc\/self\/fd\/\d+$/.test(path)) return
  throw new LadingError('file.unreadable', `${path} is a device, not a regular file`, { file: path })
}
