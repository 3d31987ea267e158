import { type Context, LadingError, type RetryPolicy } from '../../core/index.ts'
import { dump, type Network, type NetworkOptions } from '../../net/index.ts'
import { dockerCredentials } from '../credentials/docker-credentials.ts'
import type { CredentialSource } from '../credentials/credential.ts'
import { parseReference, parseRegistry, type RepositoryName } from '../reference.ts'
import type { Target } from '../target.ts'
import { RegistryClient } from './client.ts'
import { registryNetwork } from './network/registry-network.ts'
import { Repository } from './repository.ts'
import { defaultRetryPolicy } from './network/retry.ts'

/** How to reach a registry. */
export interface RegistryOptions extends NetworkOptions {
  /** Speaks HTTP without TLS. */
  readonly plainHttp?: boolean
  /** Where credentials come from (default: the docker config files of this user). */
  readonly credentials?: CredentialSource
  /** Hosts beside the registry's own domain that its credentials may be sent to for a token, each as HOST or HOST:PORT. */
  readonly tokenHosts?: readonly string[]
  readonly userAgent?: string
  /** Blobs that are longer are sent in pieces of this length (default: 64 MiB). */
  readonly chunkBytes?: number
  readonly retry?: Partial<RetryPolicy>
}

/** Opens a repository of a registry; nothing is sent before something is asked of it. */
export function openRepository(
  where: string | RepositoryName,
  options: RegistryOptions = {},
  network: Network = registryNetwork(options),
): Target & AsyncDisposable {
  const { registry, repository } = parseReference(
    typeof where === 'string' ? where : `oci://${where.registry}/${where.repository}`,
  )
  const client = openClient({ registry, repository }, options, network)
  const chunkBytes = options.chunkBytes ?? 64 * 1024 * 1024
  return new Repository(client, { registry, repository }, chunkBytes)
}

/** Proves that a registry takes the credentials that the options give, or needs none. */
export async function checkLogin(
  registry: string,
  options: RegistryOptions,
  ctx: Context,
  network: Network = registryNetwork(options),
): Promise<void> {
  const client = openClient({ registry: parseRegistry(registry) }, options, network)
  try {
    const request = { method: 'GET', to: '/v2/', scopes: [], expect: [200, 404], what: `login to ${registry}` } as const
    const answer = await client.send(request, ctx)
    await dump(answer)
    if (answer.status === 404) {
      throw new LadingError('oci.not-found', `${registry} is no registry: it has no /v2/`, { registry })
    }
  } finally {
    await network.close()
  }
}

function openClient(
  { registry, repository }: { registry: string; repository?: string },
  options: RegistryOptions,
  network: Network,
): RegistryClient {
  const plainHttp = options.plainHttp === true
  const source = options.credentials ?? dockerCredentials()
  return new RegistryClient({
    registry,
    origin: new URL(
      `${plainHttp ? 'http' : 'https'}://${registry === 'docker.io' ? 'registry-1.docker.io' : registry}`,
    ),
    network,
    userAgent: options.userAgent ?? 'lading',
    tokenHosts: options.tokenHosts,
    retry: { ...defaultRetryPolicy, ...options.retry },
    credential: (ctx) => source({ registry, plainHttp, repository }, ctx),
  })
}
