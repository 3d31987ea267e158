import { context } from '../../core/index.ts'
import { connect } from '../../kube/index.ts'
import { startSandbox } from '../../sandbox/index.ts'
import type { CrashTarget } from './crash-suite.ts'

/** A sandbox of its own for a suite. */
export async function openSandbox(): Promise<CrashTarget> {
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
