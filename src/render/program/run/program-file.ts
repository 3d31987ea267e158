import { basename, dirname, resolve } from 'node:path'

const extension = /\.(?:ts|mts|js|mjs)$/

/** Whether a path has the name of a program. */
export function isProgramFile(path: string): boolean {
  return extension.test(path) && !/\.d\.m?ts$/.test(path)
}

/** The program among the names of a folder: `source.ts`, or the same in another language. */
export function programIn(names: readonly string[]): string | undefined {
  return names.filter((name) => /^source\.(?:ts|mts|js|mjs)$/.test(name)).sort()[0]
}

/** What a program is called: by its file, or by the folder whose `source.ts` it is. */
export function programName(file: string): string {
  const name = basename(file).replace(extension, '')
  return name === 'source' ? basename(dirname(resolve(file))) : name
}
