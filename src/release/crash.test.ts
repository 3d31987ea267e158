import { context } from '../core/index.ts'
import { connect } from '../kube/index.ts'
import { startSandbox } from '../sandbox/index.ts'
import { crashSuite, type CrashTarget } from './testdata/crash-suite.ts'

async function open(): Promise<CrashTarget> {
  const sandbox = await startSandbox()
  const { kubeconfig } = sandbox
  const cluster = await connect({ kubeconfig }, context())
  return {
    cluster,
    kubeconfig,
    async close() {
      await cluster.close()
      await sandbox.stop()
    },
  }
}

crashSuite('the sandbox', open, { kind: 'configmaps', driver: 'secrets' })
crashSuite('the sandbox', open, { kind: 'configmaps', driver: 'helm', step: 4 })
crashSuite('the sandbox', open, { kind: 'workloads', driver: 'secrets', step: 6, kills: [3] })
