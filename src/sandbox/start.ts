import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '../core/index.ts'
import type { Backend } from './backend.ts'
import { Catalog } from './catalog.ts'
import { startCrdController } from './crd/controller.ts'
import { negotiate } from './http/negotiate.ts'
import { staticRoutes } from './http/routes.ts'
import { apiListener, plainServer } from './http/serve.ts'
import { Store } from './store.ts'

/** How to start a sandbox. */
export interface SandboxOptions {
  /** Port on 127.0.0.1; a free one when it is not given. */
  readonly port?: number
  readonly clock?: Clock
}

/** A running sandbox. */
export interface Sandbox {
  readonly url: string
  /** Path of a kubeconfig for it. */
  readonly kubeconfig: string
  stop(): Promise<void>
}

/** Starts an embedded cluster on the loopback address. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const store = new Store()
  const catalog = new Catalog(store)
  const backend: Backend = {
    store,
    catalog,
    clock: options.clock ?? systemClock,
    uid: () => randomUUID(),
    suffix: () => randomSuffix(),
  }
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    store.put('/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, uid: randomUUID() },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    })
  }
  const stopCrds = startCrdController(backend)
  const server = plainServer(apiListener({ backend, routes: staticRoutes(catalog), negotiate, authorize: () => {} }))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const folder = mkdtempSync(join(tmpdir(), 'lading-sandbox-'))
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigFor(url)), { mode: 0o600 })
  return {
    url,
    kubeconfig,
    stop: () =>
      new Promise((resolve) => {
        rmSync(folder, { recursive: true })
        stopCrds()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function kubeconfigFor(server: string): Record<string, unknown> {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'sandbox', cluster: { server } }],
    users: [{ name: 'admin', user: {} }],
    contexts: [{ name: 'admin', context: { cluster: 'sandbox', user: 'admin' } }],
    'current-context': 'admin',
  }
}

// The letters that the API server draws from: no vowels, so that no words come out.
function randomSuffix(): string {
  const letters = 'bcdfghjklmnpqrstvwxz2456789'
  return Array.from(randomBytes(5), (byte) => letters[byte % letters.length]).join('')
}
