import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { startRegistry } from './start-registry.ts'
import { registryCases } from './testdata/registry-cases.ts'

describe('a registry in memory', () => {
  registryCases(() => startRegistry())
})

describe('a registry on image layouts', () => {
  registryCases(async () => {
    const layout = await mkdtemp(join(tmpdir(), 'lading-registry-'))
    const registry = await startRegistry({ storage: { layout } })
    return {
      url: registry.url,
      async stop() {
        await registry.stop()
        await rm(layout, { recursive: true })
      },
    }
  })
})
