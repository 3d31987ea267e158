import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { registryContract } from '../contract/index.ts'
import { openLayout } from './open-layout.ts'

registryContract({ describe, it, beforeAll, afterAll }, 'image layout', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lading-layout-'))
  return {
    open: (repository) => openLayout(join(folder, repository)),
    async tamper(repository, { digest }, content) {
      await writeFile(join(folder, repository, 'blobs', digest.replace(':', '/')), content)
    },
    close: () => rm(folder, { recursive: true }),
  }
})
