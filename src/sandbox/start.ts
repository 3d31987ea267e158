import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, type Context, LadingError, type Log, silentLog, systemClock } from '../core/index.ts'
import { Authenticator } from './auth/authentication/authenticator.ts'
import { reviewsWith } from './auth/reviews.ts'
import { startRoles } from './auth/authorization/seed-roles.ts'
import { ServiceAccountTokens } from './auth/authentication/service-account-tokens.ts'
import type { Backend } from './backend.ts'
import { Catalog } from './catalog.ts'
import { type Connected, connectTo, type SandboxConnectOptions } from './connect.ts'
import { allControllers } from './controllers/all.ts'
import { runControllers } from './controllers/run.ts'
import { seedCluster } from './controllers/seed.ts'
import { startCrdController } from './crd/controller.ts'
import { controlOf } from './faults/control.ts'
import type { FaultSpec } from './faults/fault.ts'
import { type FaultControl, Faults } from './faults/faults.ts'
import { staticRoutes } from './http/routes.ts'
import { apiListener, createApiServer } from './http/serve.ts'
import { writeKubeconfig } from './kubeconfig.ts'
import { type Keeper, openKeeper } from './persist/keeper.ts'
import type { Registry, RegistryOptions } from './registry/start-registry.ts'
import { seedNamespaces } from './seed.ts'
import { type SimulatorName, simulators } from './simulators/index.ts'
import { Store } from './store.ts'
import { type ExecScript, type PortScript, Scripts } from './streams/scripts.ts'

/** How to start a sandbox. */
export interface SandboxOptions {
  /** Port on 127.0.0.1 (default: a free one). */
  readonly port?: number
  /** Plain HTTP when false. Clients such as kubectl send their tokens over TLS only. */
  readonly tls?: boolean
  /** Where to write the kubeconfig (default: a temporary folder). */
  readonly kubeconfig?: string
  readonly clock?: Clock
  readonly log?: Log
  /** How many nodes take Pods (default: one). */
  readonly nodes?: number
  /** Foreign controllers to stand in for, once their CRDs are installed. */
  readonly simulate?: readonly SimulatorName[]
  /** Faults from the start on; more can be set while it runs. */
  readonly faults?: readonly FaultSpec[]
  /** Decides which requests faults strike. */
  readonly seed?: number
  /** A folder to keep everything in; without one, everything is gone once the sandbox stops. */
  readonly persist?: string
  /** Also runs an OCI registry; with `persist` its content is kept as well. */
  readonly registry?: RegistryOptions
}

/** A running sandbox; `await using` stops it. */
export interface Sandbox extends AsyncDisposable {
  readonly url: string
  /** Path of a kubeconfig with the contexts `admin` and `nobody`. */
  readonly kubeconfig: string
  /** The token of the administrator. */
  readonly token: string
  /** Connects to it; close the cluster, or declare it with `await using`, before the sandbox stops. */
  connect(options?: SandboxConnectOptions, ctx?: Context): Promise<Connected>
  /** Resolves once the controllers rest: all that follows from what was written has happened, but for what waits for its time. */
  idle(): Promise<void>
  /** Makes things go wrong. */
  readonly faults: FaultControl
  /** Answers commands in pods; the script that was added last is asked first. Returns the function that removes it. */
  onExec(script: ExecScript): () => void
  /** Serves connections to ports of pods, in the same way. */
  onPortForward(script: PortScript): () => void
  /** Forgets the history, so that watches from older versions get 410 Gone. */
  compact(): void
  /** The registry, when one was asked for. */
  readonly registry?: Registry
  stop(): Promise<void>
}

/** Starts an embedded cluster on the loopback address. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const store = new Store()
  const log = options.log ?? silentLog
  const keeper = await openKeeper(options.persist, store, log)
  try {
    return await serveStore(store, keeper, log, options)
  } catch (error) {
    await keeper.close()
    throw error
  }
}

async function serveStore(store: Store, keeper: Keeper, log: Log, options: SandboxOptions): Promise<Sandbox> {
  const { tokens, tls: certificate, signingKey } = keeper.identity
  const catalog = new Catalog(store)
  const clock = options.clock ?? systemClock
  const accounts = new ServiceAccountTokens(store, clock, signingKey)
  const backend: Backend = {
    store,
    catalog,
    clock,
    uid: () => randomUUID(),
    suffix: () => randomSuffix(),
    issueToken: (order) => accounts.issue(order),
  }
  const faults = new Faults(options.seed)
  const scripts = new Scripts()
  for (const fault of options.faults ?? []) faults.add(fault)
  const authenticator = authenticatorFor(accounts, tokens)
  const listener = apiListener({
    backend,
    routes: staticRoutes(catalog),
    authenticator,
    reviews: reviewsWith(backend, authenticator),
    faults,
    control: controlOf(store, faults),
    scripts,
    kept: keeper.kept,
  })
  const registry = await registryFor(options)
  const tls = options.tls === false ? undefined : certificate
  const server = createApiServer(listener, tls)
  const port = await listen(server, options.port ?? 0).catch(async (error: unknown) => {
    await registry?.stop()
    throw error
  })
  const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`
  const folder = options.kubeconfig === undefined ? mkdtempSync(join(tmpdir(), 'lading-sandbox-')) : undefined
  const kubeconfig = options.kubeconfig ?? join(folder ?? '', 'kubeconfig')
  try {
    writeKubeconfig(kubeconfig, { url, certificate: tls?.certificate, tokens })
  } catch (error) {
    server.close()
    await registry?.stop()
    throw error
  }
  seedNamespaces(backend)
  seedCluster(backend, options.nodes)
  const stopCrds = startCrdController(backend)
  const controllers = runControllers(backend, [...allControllers(), ...simulators(options.simulate)], log)
  const stopRoles = startRoles(backend)
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    rmSync(folder ?? kubeconfig, { recursive: true, force: true })
    stopCrds()
    controllers.stop()
    stopRoles()
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
    await registry?.stop()
    await keeper.close()
  }
  const stopOnce = (): Promise<void> => (stopping ??= stop())
  return {
    url,
    kubeconfig,
    token: tokens.admin,
    connect: (chosen = {}, ctx) => connectTo({ url, certificate: tls?.certificate, tokens }, chosen, ctx),
    faults,
    registry,
    onExec: (script) => scripts.onExec(script),
    onPortForward: (script) => scripts.onPortForward(script),
    compact: () => store.compact(),
    idle: () => controllers.idle(),
    stop: stopOnce,
    [Symbol.asyncDispose]: stopOnce,
  }
}

function authenticatorFor(accounts: ServiceAccountTokens, tokens: Keeper['identity']['tokens']): Authenticator {
  const authenticator = new Authenticator(accounts)
  authenticator.add(tokens.admin, { name: 'admin', uid: '1', groups: ['system:masters', 'system:authenticated'] })
  authenticator.add(tokens.nobody, { name: 'nobody', uid: '2', groups: ['nobodies', 'system:authenticated'] })
  return authenticator
}

async function registryFor({ registry, persist }: SandboxOptions): Promise<Registry | undefined> {
  if (registry === undefined) return undefined
  const { startRegistry } = await import('./registry/start-registry.ts')
  const storage = persist === undefined ? {} : { storage: { layout: join(persist, 'registry') } }
  return startRegistry({ ...storage, ...registry })
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      reject(taken ? new LadingError('sandbox.in-use', `port ${port} of 127.0.0.1 is taken`, { port }) : error)
    })
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

// The letters that the API server draws from: no vowels, so that no words come out.
function randomSuffix(): string {
  const letters = 'bcdfghjklmnpqrstvwxz2456789'
  return Array.from(randomBytes(5), (byte) => letters[byte % letters.length]).join('')
}
