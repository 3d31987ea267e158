import { afterAll, beforeAll, describe, it } from 'vitest'
import { context } from '../../core/index.ts'
import { connect } from '../../kube/index.ts'
import { startSandbox } from '../../sandbox/index.ts'
import { releaseStoreContract } from './contract.ts'
import { type KubeStorage, kubeTarget } from './contract/kube-target.ts'
import { kubeStorages } from './contract/kube-storages.ts'

const runner = { describe, it, beforeAll, afterAll }

for (const [name, storage] of Object.entries(kubeStorages)) {
  releaseStoreContract(runner, `${name} of the sandbox`, () => openSandbox(storage))
}

async function openSandbox(storage: KubeStorage): ReturnType<typeof kubeTarget> {
  const sandbox = await startSandbox()
  const cluster = await connect({ kubeconfig: sandbox.kubeconfig, context: 'admin' }, context())
  const target = await kubeTarget(cluster, storage)
  return {
    ...target,
    async close() {
      await cluster.close()
      await sandbox.stop()
    },
  }
}
