import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { ProgramFiles } from '../define-source.ts'
import { denial } from './denial.ts'

/** The files of a program's folder, each noted when it is read. Links lead to files inside of the folder only. */
export function ownFiles(file: string, note: (path: string) => void): ProgramFiles {
  const folder = dirname(file)
  const inside = (path: string): string => {
    const found = realpathSync(resolve(folder, path))
    const below = relative(folder, found)
    if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) {
      throw denial(`it reads ${path}, which is outside of its folder`)
    }
    note(found)
    return found
  }
  return {
    text: (path) => readFileSync(inside(path), 'utf8'),
    bytes: (path) => new Uint8Array(readFileSync(inside(path))),
    list(path = '.') {
      const top = inside(path)
      const paths = readdirSync(top, { recursive: true, encoding: 'utf8' }).map((name) => join(top, name))
      return paths
        .filter((each) => lstatSync(each).isFile())
        .map((each) => relative(folder, each).split(sep).join('/'))
        .sort()
    },
  }
}
