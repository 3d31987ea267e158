import { createHash } from 'node:crypto'
import type { KubeObject } from '../../core/index.ts'
import { objectHash } from '../record/object-hash.ts'

/** Identifies what a source came to, of the objects alone: the same ones from other files, or in another order, are the same. */
export function sourceDigest(objects: readonly KubeObject[]): string {
  const hash = createHash('sha256')
  for (const each of objects.map(objectHash).sort()) hash.update(each)
  return `sha256:${hash.digest('hex')}`
}
