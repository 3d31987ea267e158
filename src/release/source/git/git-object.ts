import { createHash } from 'node:crypto'

/** What an object of a repository is. */
export type GitObjectType = 'commit' | 'tree' | 'blob' | 'tag'

/** An object of a repository. */
export interface GitObject {
  readonly type: GitObjectType
  readonly data: Uint8Array
}

/** The id of an object: SHA-1 over its type, length and content. */
export function objectId({ type, data }: GitObject): string {
  return createHash('sha1').update(`${type} ${data.length}\0`).update(data).digest('hex')
}
