import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isFileError } from './file-error.ts'

/** The files of an image layout, which no repository below may be named like. */
const reserved: ReadonlySet<string> = new Set(['blobs', 'index.json', 'oci-layout'])

/** The folder of a repository; names have no `%`, so that a part that a layout needs for itself can carry one. */
export function repositoryFolder(root: string, name: string): string {
  return join(root, ...name.split('/').map((part) => (reserved.has(part) ? `${part}%` : part)))
}

/** The names of the repositories below a folder: all folders that are image layouts. */
export async function repositoryNames(root: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(root, below), { withFileTypes: true })
  const own = below !== '' && entries.some((entry) => entry.name === 'oci-layout')
  const folders = entries.filter(
    (entry) => entry.isDirectory() && entry.name !== 'blobs' && !entry.name.startsWith('.'),
  )
  const nested = await Promise.all(folders.map((entry) => repositoryNames(root, join(below, entry.name))))
  const name = below
    .split('/')
    .map((part) => part.replace(/%$/, ''))
    .join('/')
  return [...(own ? [name] : []), ...nested.flat()]
}

/** Writes a file so that a crash leaves the old one or the new one, never a part. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    const handle = await open(temporary, 'wx')
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await moveInto(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Renames a file that is written to its final name, which is kept once this returns. */
export async function moveInto(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await rename(from, to)
  await syncFolder(dirname(to))
}

/** Gives a file a second name. False where there is no such file. */
export async function linkInto(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true })
  try {
    await link(from, to)
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return false
    if (!isFileError(error, 'EEXIST')) throw error
  }
  await syncFolder(dirname(to))
  return true
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
