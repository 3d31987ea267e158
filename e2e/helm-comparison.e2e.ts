import { inject } from 'vitest'
import { context } from '../src/core/index.ts'
import { connect } from '../src/kube/index.ts'
import { helmComparisonSuite } from '../src/release/testdata/helm-comparison-suite.ts'
import { peer } from '../testbed/peers.ts'

helmComparisonSuite('a real API server', async () => {
  const kubeconfig = inject('kubeconfig')
  const cluster = await connect({ kubeconfig }, context())
  const { path: helm3 } = await peer('helm3')
  return { cluster, kubeconfig, helm3, close: () => cluster.close() }
})
