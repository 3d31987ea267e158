import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { KubeObject } from '../../core/index.ts'
import { checkedLine } from './checked-line.ts'
import { snapshotName } from './load-folder.ts'

const batch = 200

/** Writes the objects of one moment beside the old snapshot, and takes its place once it is on disk. */
export async function writeSnapshot(
  folder: string,
  version: number,
  collections: readonly (readonly [name: string, objects: readonly KubeObject[]])[],
): Promise<void> {
  const draft = join(folder, `${snapshotName}.draft`)
  const file = await open(draft, 'w', 0o600)
  try {
    await file.write(checkedLine({ version, collection: '' }))
    for (const [collection, objects] of collections) {
      // In parts, so that requests are answered in between.
      for (let start = 0; start < objects.length; start += batch) {
        const lines = objects.slice(start, start + batch).map((object) => checkedLine({ version, collection, object }))
        await file.write(lines.join(''))
      }
    }
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(draft, join(folder, snapshotName))
  const directory = await open(folder, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
