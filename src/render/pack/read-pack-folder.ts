import { lstat, readdir, readFile, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { LadingError } from '../../core/index.ts'
import { loadPack } from './load-pack.ts'
import type { Pack } from './pack.ts'

const maxFiles = 10_000
/** Links within folders that were reached by links. */
const maxNestedLinks = 16
const maxBytes = 64 * 1024 * 1024
const maxFileBytes = 5 * 1024 * 1024

/** Loads a pack from its folder; links are followed inside of it only. */
export async function readPackFolder(folder: string): Promise<Pack> {
  const root = await realpath(folder).catch((error: unknown) => {
    throw new LadingError('file.not-found', `there is no pack at ${folder}`, { path: folder }, { cause: error })
  })
  const walk: Walk = { root, files: new Map(), folders: 0, bytes: 0, open: new Set() }
  await walkFolder(walk, root, '', 0)
  return loadPack(walk.files)
}

interface Walk {
  readonly root: string
  readonly files: Map<string, Uint8Array>
  folders: number
  bytes: number
  /** Real paths of the folders that are being walked: a link to one of them would never end. */
  readonly open: Set<string>
}

async function walkFolder(walk: Walk, path: string, below: string, linksAbove: number): Promise<void> {
  walk.folders++
  if (walk.folders > maxFiles) {
    throw new LadingError('input.too-large', `the pack has more than ${maxFiles} folders`, { file: below })
  }
  if (walk.open.has(path)) throw refused(below, 'is a link to a folder that contains it')
  walk.open.add(path)
  for (const name of (await readdir(path)).sort()) {
    if (below === '' && name === '.git') continue
    const real = await realpath(join(path, name)).catch(() => undefined)
    const at = below === '' ? name : `${below}/${name}`
    if (real === undefined) throw refused(at, 'is a link to nothing')
    if (!real.startsWith(walk.root + sep)) throw refused(at, 'links out of the pack')
    const links = linksAbove + (real === join(path, name) ? 0 : 1)
    if (links > maxNestedLinks)
      throw refused(at, `is a symlink below ${maxNestedLinks} others: so many are not followed`)
    const found = await lstat(real)
    if (found.isDirectory()) await walkFolder(walk, real, at, links)
    else if (found.isFile()) await addFile(walk, real, at, found.size)
    else throw refused(at, 'is neither a file nor a folder')
  }
  walk.open.delete(path)
}

async function addFile(walk: Walk, path: string, name: string, size: number): Promise<void> {
  walk.bytes += size
  if (size > maxFileBytes || walk.bytes > maxBytes || walk.files.size >= maxFiles) {
    const limits = `${maxFileBytes} bytes a file, ${maxBytes} bytes and ${maxFiles} files in all`
    throw new LadingError('input.too-large', `the pack is too large at ${name}: the limits are ${limits}`, {
      file: name,
    })
  }
  walk.files.set(name, await readFile(path))
}

function refused(name: string, problem: string): LadingError {
  return new LadingError('archive.refused', `${name} ${problem}`, { file: name })
}
