import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from './run-process.ts'

const executable = new URL('../../bin/lading', import.meta.url)

/** What `bin/lading` tells Node when a system starts it. */
const ladingOptions = readFileSync(executable, 'utf8').split('\n', 1).join('').match(/--\S+/g) ?? []

/** Runs the executable of an installed Lading, as its first line has it run. */
export function ladingCommand(folder: string, installed: string, args: readonly string[]): Command {
  return nodeFile(folder, join(installed, 'bin', 'lading'), args, ladingOptions)
}

/** Runs one of `bench/programs`. */
export function benchProgram(folder: string, name: string, args: readonly string[] = []): Command {
  return nodeFile(folder, programFile(name), args)
}

/** Runs one of `bench/programs` that stands for the executable, with the same memory and stack. */
export function ladingProgram(folder: string, name: string, args: readonly string[] = []): Command {
  return nodeFile(folder, programFile(name), args, ladingOptions)
}

function programFile(name: string): string {
  return fileURLToPath(new URL(`../programs/${name}.ts`, import.meta.url))
}

/** Runs a file on this Node; compiled code is kept in the run's folder, as `bin/lading` has it kept between commands. */
function nodeFile(folder: string, file: string, args: readonly string[], options: readonly string[] = []): Command {
  return {
    command: process.execPath,
    args: [...options, file, ...args],
    env: { NODE_COMPILE_CACHE: join(folder, 'compile-cache') },
  }
}
