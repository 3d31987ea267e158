import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LadingError } from '../../core/index.ts'

/** Opens a regular file for reading, never through a link and never a pipe; undefined where there is none. */
export async function openFile(path: string): Promise<FileHandle | undefined> {
  let file: FileHandle
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw layoutError(path, code === 'ELOOP' ? 'is a link' : `cannot be read: ${code ?? 'unknown reason'}`, error)
  }
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw layoutError(path, 'is no regular file')
}

/** Reads a file of a bounded size. */
export async function readWhole(path: string, limit: number): Promise<Buffer | undefined> {
  await using file = await openFile(path)
  if (file === undefined) return undefined
  const { size } = await file.stat()
  if (size > limit) throw layoutError(path, `has ${size} bytes, and at most ${limit} are allowed`)
  return file.readFile()
}

/** Writes a file that appears with all of its content or not at all. */
export async function writeWhole(
  path: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const temporary = join(dirname(path), `.${randomBytes(8).toString('hex')}.tmp`)
  try {
    {
      await using file = await open(temporary, 'wx', 0o644)
      // `writeFile` copies every chunk of a stream; this writes each as it is.
      for await (const chunk of content) await writeAll(file, chunk)
      await file.sync()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    if (error instanceof LadingError) throw error
    throw layoutError(path, `cannot be written: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}`, error)
  }
}

/** Makes a folder where there is none, and refuses a link in its place. */
export async function ensureFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw layoutError(path, `cannot be made: ${code ?? 'unknown reason'}`, error)
    if (!(await lstat(path)).isDirectory()) throw layoutError(path, 'is no folder')
  }
}

/** The error for a folder that is no usable image layout. */
export function layoutError(path: string, what: string, cause?: unknown): LadingError {
  return new LadingError('oci.layout-invalid', `${path} ${what}`, { path }, { cause })
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let offset = 0; offset < chunk.byteLength;) offset += (await file.write(chunk, offset)).bytesWritten
}
