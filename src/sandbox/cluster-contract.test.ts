import { afterAll, beforeAll, describe, it } from 'vitest'
import { context } from '../core/index.ts'
import { clusterContract } from '../kube/contract/index.ts'
import { connect } from '../kube/index.ts'
import { startSandbox } from './start.ts'

/** Where the sandbox differs from a real API server, with the reason. */
const expectedFailures: Readonly<Record<string, string>> = {}

// Each case has a namespace of its own, and most of them wait for something.
const runner = { describe, it: it.concurrent, beforeAll, afterAll }

clusterContract(runner, 'the sandbox', async () => {
  const sandbox = await startSandbox()
  const { kubeconfig } = sandbox
  const admin = await connect({ kubeconfig, context: 'admin' }, context())
  const unprivileged = await connect({ kubeconfig, context: 'nobody' }, context())
  return {
    admin,
    unprivileged,
    kubeconfig,
    expectedFailures,
    async close() {
      await Promise.all([admin.transport.close(), unprivileged.transport.close()])
      await sandbox.stop()
    },
  }
})
