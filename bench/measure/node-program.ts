import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from './run-process.ts'

/** Runs a file on this Node; compiled code is kept in the run's folder, as `bin/lading` has it kept between commands. */
export function nodeFile(folder: string, file: string, args: readonly string[]): Command {
  return {
    command: process.execPath,
    args: [file, ...args],
    env: { NODE_COMPILE_CACHE: join(folder, 'compile-cache') },
  }
}

/** Runs one of `bench/programs`. */
export function benchProgram(folder: string, name: string, args: readonly string[] = []): Command {
  return nodeFile(folder, fileURLToPath(new URL(`../programs/${name}.ts`, import.meta.url)), args)
}
