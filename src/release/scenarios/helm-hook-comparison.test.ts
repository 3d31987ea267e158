import { context } from '../../core/index.ts'
import { connect } from '../../kube/index.ts'
import { startSandbox } from '../../sandbox/index.ts'
import { helmHookComparisonSuite } from '../testdata/helm-hook-comparison-suite.ts'

helmHookComparisonSuite('the sandbox', async () => {
  const sandbox = await startSandbox()
  const cluster = await connect({ kubeconfig: sandbox.kubeconfig }, context())
  return {
    cluster,
    kubeconfig: sandbox.kubeconfig,
    async close() {
      await cluster.close()
      await sandbox.stop()
    },
  }
})
