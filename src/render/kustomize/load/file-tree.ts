import { LadingError } from '../../../core/index.ts'

const maxFileBytes = 32 * 1024 * 1024

/** What a path of a tree is. */
export type EntryKind = 'file' | 'folder'

/**
 * The files that a build may see, by absolute POSIX paths: `/` is the root of the tree, and nothing outside of it exists.
 * A real folder, files in memory, a git checkout and an unpacked artifact are all such trees.
 */
export interface FileTree {
  /** The path with every link followed, and what stands there; undefined where nothing does. Links out of the tree throw. */
  resolve(path: string): { readonly path: string; readonly kind: EntryKind } | undefined
  /** The names of what stands in a folder, by a path that `resolve` gave. */
  list(path: string): readonly string[]
  /** The content of a file, by a path that `resolve` gave. */
  read(path: string): Uint8Array
  /** The tree as data, where that is less than all of its files. */
  plain?(): PlainTree
}

/** A tree as data that another thread can open. */
export type PlainTree =
  | { readonly type: 'folder'; readonly root: string }
  | { readonly type: 'overlay'; readonly base: PlainTree; readonly files: ReadonlyMap<string, Uint8Array> }
  | {
      readonly type: 'files'
      readonly files: ReadonlyMap<string, Uint8Array>
      readonly folders: readonly string[]
      /** Where links lead in the end. */
      readonly links: ReadonlyMap<string, string>
      /** What may not be read, and why. */
      readonly refused: ReadonlyMap<string, unknown>
    }

/** Refuses a file that is too large for a build. */
export function demandSize(file: string, size: number): void {
  if (size <= maxFileBytes) return
  const problem = `${file} has ${size} bytes, the limit is ${maxFileBytes}`
  throw new LadingError('input.too-large', problem, { file, size, maxFileBytes })
}
