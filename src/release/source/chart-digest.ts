import { createHash } from 'node:crypto'
import type { Chart } from '../../render/helm/index.ts'

/** Identifies a chart by its files alone: the same from a folder, an archive or a registry, in whatever order. */
export function chartDigest({ raw }: Chart): string {
  const hash = createHash('sha256')
  const files = raw.map(({ name, data }) => ({ name, sum: createHash('sha256').update(data).digest('hex') }))
  for (const { name, sum } of files.sort((a, b) => (a.name < b.name ? -1 : 1))) hash.update(`${sum} ${name}\n`)
  return `sha256:${hash.digest('hex')}`
}
