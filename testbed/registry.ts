import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dump } from 'js-yaml'
import { type Context, context } from '../src/core/index.ts'
import { ensureTool } from './build.ts'
import { freePorts } from './free-ports.ts'
import { openProcesses } from './processes.ts'
import { waitUntil } from './wait-until.ts'

/** What kind of registry. */
export interface RegistryOptions {
  /** Whether it wants a user and a password (HTTP basic authentication) for everything. */
  readonly auth?: boolean
}

/** A running OCI registry, over plain HTTP. */
export interface Registry {
  /** Host and port, as in a reference. */
  readonly host: string
  readonly url: string
  /** Who may log in, where it wants authentication. */
  readonly user?: string
  readonly password?: string
  stop(): Promise<void>
}

const credentials = { user: 'lading', password: 'testbed' }
// The registry takes bcrypt only, which Node cannot make; this is the hash of the password above, at a low cost.
const passwordHash = '$2a$05$xPY4bmghBs5eTX2rGNDiyuALCXP6WyEQ72Jy8qB0dtsPlgBNs0tOu'

/** Starts CNCF distribution on an empty folder. */
export async function startRegistry(options: RegistryOptions = {}, ctx: Context = context()): Promise<Registry> {
  const command = await ensureTool('registry', ctx)
  const processes = await openProcesses()
  try {
    const [port = 0] = await freePorts(1)
    const host = `127.0.0.1:${port}`
    const configFile = join(processes.folder, 'registry.yaml')
    const htpasswd = join(processes.folder, 'htpasswd')
    const storage = join(processes.folder, 'registry')
    await mkdir(storage)
    await writeFile(htpasswd, `${credentials.user}:${passwordHash}\n`, { mode: 0o600 })
    await writeFile(configFile, dump(registryConfig(host, storage, options.auth === true ? htpasswd : undefined)))
    const registry = await processes.start({
      name: 'registry',
      command,
      args: ['serve', configFile],
      env: { OTEL_TRACES_EXPORTER: 'none' },
    })
    const url = `http://${host}`
    const answers = async (): Promise<boolean> => [200, 401].includes((await fetch(`${url}/v2/`)).status)
    await waitUntil('the registry answered', answers, { processes: [registry], timeoutMs: 30_000 }, ctx)
    return { host, url, ...(options.auth === true ? credentials : {}), stop: () => processes.stop() }
  } catch (error) {
    await processes.stop()
    throw error
  }
}

function registryConfig(address: string, folder: string, htpasswd: string | undefined): object {
  return {
    version: 0.1,
    log: { level: 'warn', accesslog: { disabled: true } },
    storage: {
      filesystem: { rootdirectory: folder },
      delete: { enabled: true },
      maintenance: { uploadpurging: { enabled: false } },
    },
    http: { addr: address },
    ...(htpasswd === undefined ? {} : { auth: { htpasswd: { realm: 'testbed', path: htpasswd } } }),
  }
}
