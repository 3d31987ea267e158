import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

// The one place that knows where the files of the child process are: beside this one, in the source, in what was built of it, and in a bundle.

/** Of the source this is TypeScript, in a package what was built of it. */
const kind = /\.[jt]s$/.exec(import.meta.url)?.[0] ?? '.js'

/** The folder of the code that runs in the child process; with a separator at its end. */
export const ownFolder = fileURLToPath(new URL('.', import.meta.url))

/** What the child process starts with. */
export const supervisorFile = fileURLToPath(new URL(`supervise${kind}`, import.meta.url))

/** What the thread of the program starts with, as an address. */
export const workerUrl = new URL(`run-program${kind}`, import.meta.url).href

/** What a program gets that imports `lading/program`, as an address. */
export const doorUrl = new URL(`define-source${kind}`, import.meta.url).href

/** From where packages are looked for that the program does not have itself. */
export const packagesUrl = import.meta.url

/** The folder of a package that comes with Lading. */
export function packageFolder(name: string): string | undefined {
  try {
    return dirname(realpathSync(createRequire(packagesUrl).resolve(`${name}/package.json`)))
  } catch {
    return undefined
  }
}
