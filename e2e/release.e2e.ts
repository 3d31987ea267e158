import { inject } from 'vitest'
import { context } from '../src/core/index.ts'
import { connect } from '../src/kube/index.ts'
import { crashSuite, type CrashTarget } from '../src/release/testdata/crash-suite.ts'

async function open(): Promise<CrashTarget> {
  const kubeconfig = inject('kubeconfig')
  const cluster = await connect({ kubeconfig }, context())
  return { cluster, kubeconfig, close: () => cluster.close() }
}

crashSuite('a real API server', open, { kind: 'configmaps', driver: 'secrets' })
crashSuite('a real API server', open, { kind: 'configmaps', driver: 'helm', step: 6 })
crashSuite('a real API server', open, { kind: 'workloads', driver: 'secrets', step: 10, kills: [1, 3, 5] })
