import { afterAll, beforeAll, describe, it } from 'vitest'
import { registryContract } from './contract/index.ts'
import { memoryTarget } from './memory-target.ts'
import type { Target } from './target.ts'

registryContract({ describe, it, beforeAll, afterAll }, 'memory', async () => {
  const targets = new Map<string, Target>()
  return {
    open(repository) {
      const target = targets.get(repository) ?? memoryTarget()
      targets.set(repository, target)
      return target
    },
    close: async () => undefined,
  }
})
