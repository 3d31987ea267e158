import { inject } from 'vitest'
import { context } from '../src/core/index.ts'
import { connect } from '../src/kube/index.ts'
import { helmHookComparisonSuite } from '../src/release/testdata/helm-hook-comparison-suite.ts'

helmHookComparisonSuite('a real API server', async () => {
  const kubeconfig = inject('kubeconfig')
  const cluster = await connect({ kubeconfig }, context())
  return { cluster, kubeconfig, close: () => cluster.close() }
})
