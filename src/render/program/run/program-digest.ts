import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { compareText, isRecord, parseJson } from '../../../core/index.ts'
import { ownFolder } from '../place.ts'

/**
 * Identifies what a program was rendered from: the modules and files of its own by their content, packages by name and version. Where it lies
 * does not count, nor does the version of Lading.
 */
export function programDigest(file: string, files: readonly string[]): string {
  const lines = new Set(
    [...new Set([file, ...files])]
      .filter((path) => !path.startsWith(ownFolder))
      .flatMap((path) => packageLine(path) ?? fileLine(file, path)),
  )
  return `sha256:${hashOf([...lines].sort(compareText).join('\n'))}`
}

const modulesFolder = `${sep}node_modules${sep}`

function packageLine(path: string): string | undefined {
  const at = path.lastIndexOf(modulesFolder)
  if (at === -1) return undefined
  const [first = '', second = ''] = path.slice(at + modulesFolder.length).split(sep)
  const name = first.startsWith('@') ? join(first, second) : first
  try {
    const found = parseJson(readFileSync(join(path.slice(0, at + modulesFolder.length), name, 'package.json'), 'utf8'))
    return `package ${name} ${isRecord(found) ? String(found['version']) : ''}`
  } catch {
    return `package ${name}`
  }
}

function fileLine(file: string, path: string): string[] {
  try {
    return [`file ${relative(dirname(file), path)} ${hashOf(readFileSync(path))}`]
  } catch {
    // A folder that was listed, or something that is gone already.
    return []
  }
}

function hashOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
