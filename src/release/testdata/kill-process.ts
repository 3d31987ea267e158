import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { context } from '../../core/index.ts'
import { type Cluster, watchObjects } from '../../kube/index.ts'
import type { CrashContent } from './crash-content.ts'
import type { CrashOperation } from './crash-operation.ts'

/** The operation that a process carries out. */
export interface KilledOperation {
  readonly kubeconfig: string
  readonly driver: 'secrets' | 'helm'
  readonly kind: CrashContent
  readonly namespace: string
  readonly operation: CrashOperation
}

const watched = [
  { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' },
  { group: '', version: 'v1', kind: 'Secret' },
  { group: '', version: 'v1', kind: 'ConfigMap' },
  { group: 'apps', version: 'v1', kind: 'Deployment' },
]

/**
 * Runs an operation as a process and kills it once the cluster shows its n-th write. Says whether the process was still at work
 * then: one that was faster than the watch has simply done its work.
 */
export async function killAfterWrites(cluster: Cluster, what: KilledOperation, n: number): Promise<boolean> {
  const program = fileURLToPath(new URL('./operate-program.ts', import.meta.url))
  const { kubeconfig, driver, kind, namespace, operation } = what
  const seen = new AbortController()
  let writes = 0
  const ready: Promise<void>[] = []
  let child: ReturnType<typeof spawn> | undefined
  const watching = watched.map((gvk) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    ready.push(promise)
    return (async () => {
      const ctx = context({ signal: seen.signal })
      let synced = false
      for await (const event of watchObjects(cluster, { gvk, namespace }, ctx)) {
        if (event.type === 'synced') {
          synced = true
          resolve()
        } else if (synced && ++writes >= n) child?.kill('SIGKILL')
      }
    })().catch(() => undefined)
  })
  await Promise.all(ready)
  child = spawn(process.execPath, [program, kubeconfig, driver, kind, namespace, operation], { stdio: 'inherit' })
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  seen.abort()
  await Promise.all(watching)
  return signal === 'SIGKILL'
}
