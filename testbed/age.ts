import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { TestbedError } from './testbed-error.ts'

const run = promisify(execFile)

/** The programs of age, from the PATH or, as root on Debian, from its package. */
export interface Age {
  readonly age: string
  readonly keygen: string
}

/** Finds age, installing it where this process may. */
export async function ensureAge(): Promise<Age> {
  if (!(await isThere('age'))) {
    if (process.getuid?.() !== 0 || !(await isThere('apt-get'))) {
      throw new TestbedError(
        'the suite of encryption needs age (https://age-encryption.org): install the package `age`',
      )
    }
    await run('apt-get', ['install', '--yes', '--no-install-recommends', 'age'])
  }
  return { age: 'age', keygen: 'age-keygen' }
}

function isThere(program: string): Promise<boolean> {
  return run(program, ['--version']).then(
    () => true,
    () => false,
  )
}
