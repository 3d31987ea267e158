import { afterAll, beforeAll, describe, it } from 'vitest'
import { context } from '../../../core/index.ts'
import { connect } from '../../../kube/index.ts'
import { startSandbox } from '../../../sandbox/index.ts'
import { releaseStoreContract } from '../contract.ts'
import { type KubeStorage, kubeTarget } from '../contract/kube-target.ts'
import { kubeStorages } from '../contract/kube-storages.ts'

const runner = { describe, it, beforeAll, afterAll }

// The same requests list all of them: one store shows it for 300 releases, the others for fewer.
for (const [at, [name, storage]] of Object.entries(kubeStorages).entries()) {
  releaseStoreContract(runner, `${name} of the sandbox`, () => openSandbox(storage, at === 0 ? 300 : 50))
}

async function openSandbox(storage: KubeStorage, many: number): ReturnType<typeof kubeTarget> {
  const sandbox = await startSandbox()
  const cluster = await connect({ kubeconfig: sandbox.kubeconfig, context: 'admin' }, context())
  const target = await kubeTarget(cluster, storage)
  return {
    ...target,
    many,
    async close() {
      await cluster.close()
      await sandbox.stop()
    },
  }
}
