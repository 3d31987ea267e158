import { afterAll, beforeAll, describe, inject, it } from 'vitest'
import { context } from '../src/core/index.ts'
import { clusterContract } from '../src/kube/contract/index.ts'
import { connect } from '../src/kube/index.ts'

const runner = { describe, it, beforeAll, afterAll }

clusterContract(runner, 'a real API server', async () => {
  const kubeconfig = inject('kubeconfig')
  const admin = await connect({ kubeconfig, context: 'admin' }, context())
  const unprivileged = await connect({ kubeconfig, context: 'nobody' }, context())
  return {
    admin,
    unprivileged,
    kubeconfig,
    async close() {
      await Promise.all([admin.transport.close(), unprivileged.transport.close()])
    },
  }
})
