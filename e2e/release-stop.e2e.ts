import { inject } from 'vitest'
import { context } from '../src/core/index.ts'
import { connect } from '../src/kube/index.ts'
import type { CrashTarget } from '../src/release/testdata/crash-suite.ts'
import { stopSuite } from '../src/release/testdata/stop-suite.ts'

async function open(): Promise<CrashTarget> {
  const kubeconfig = inject('kubeconfig')
  const cluster = await connect({ kubeconfig }, context())
  return { cluster, kubeconfig, close: () => cluster.close() }
}

stopSuite('a real API server', open, { kind: 'configmaps', driver: 'secrets' })
stopSuite('a real API server', open, { kind: 'configmaps', driver: 'helm', step: 5 })
stopSuite('a real API server', open, { kind: 'workloads', driver: 'secrets', step: 4 })
