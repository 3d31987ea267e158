import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type RegistryOptions as Embedded, startRegistry } from '../../sandbox/index.ts'
import { type ContractRegistry, registryContract } from '../contract/index.ts'
import { staticCredential } from '../credentials/credential.ts'
import { openRepository } from './open-repository.ts'

const runner = { describe, it, beforeAll, afterAll }
const user = { user: 'jane', password: 'open sesame' }

registryContract(runner, 'embedded registry with tokens', () => open({ auth: { token: user } }))

registryContract(runner, 'embedded registry on layouts', async () => {
  const layout = await mkdtemp(join(tmpdir(), 'lading-registry-'))
  const registry = await open({ storage: { layout } })
  return {
    ...registry,
    async tamper(repository, { digest }, content) {
      await writeFile(join(layout, repository, 'blobs', digest.replace(':', '/')), content)
    },
    async close() {
      await registry.close()
      // What the registry still takes back of a broken upload comes and goes.
      await rm(layout, { recursive: true, maxRetries: 10, retryDelay: 20 })
    },
  }
})

async function open(options: Embedded): Promise<ContractRegistry> {
  const registry = await startRegistry(options)
  const { host } = registry
  const credentials = staticCredential(host, { username: user.user, password: user.password })
  return {
    open: (repository) => openRepository({ registry: host, repository }, { plainHttp: true, credentials }),
    close: () => registry.stop(),
  }
}
