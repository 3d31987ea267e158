import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from './run-process.ts'

/** What `bin/lading` tells Node about its memory. */
const ladingOptions = ['--semi-space-growth-factor=1']

/** Runs the executable of an installed Lading. */
export function ladingCommand(folder: string, installed: string, args: readonly string[]): Command {
  return nodeFile(folder, join(installed, 'bin', 'lading'), args)
}

/** Runs one of `bench/programs`. */
export function benchProgram(folder: string, name: string, args: readonly string[] = []): Command {
  return nodeFile(folder, programFile(name), args)
}

/** Runs one of `bench/programs` that stands for the executable, with the same memory. */
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
