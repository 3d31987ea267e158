import { type Command } from 'commander'
import type { Reference, RegistryOptions, Target } from '../../oci/index.ts'
import type { Io } from '../io.ts'
import { collect, type GlobalOptions } from './options.ts'
import { pathFrom } from '../connect.ts'
import { readText } from '../files/read-text.ts'

/** How registries are reached. */
export interface RegistryFlags extends GlobalOptions {
  readonly plainHttp?: boolean
  readonly registryCa?: string
  readonly insecureSkipTlsVerify?: boolean
  readonly allowTokenHost?: readonly string[]
}

/** How artifacts are read. */
export interface ArtifactFlags extends RegistryFlags {
  readonly identity?: readonly string[]
  readonly verify?: readonly string[]
}

/** Declares the options of registries. */
export function addRegistryOptions(command: Command): Command {
  return command
    .option('--plain-http', 'speak HTTP without TLS to the registry')
    .option('--registry-ca <file>', 'certificate authority of the registry, in PEM')
    .option('--insecure-skip-tls-verify', 'do not verify the certificate of the registry')
    .option(
      '--allow-token-host <host>',
      'host of another domain that credentials of the registry may be sent to for a token; HOST or HOST:PORT, may be repeated',
      collect,
    )
}

/** Declares the options of reading artifacts. */
export function addArtifactOptions(command: Command): Command {
  return addTrustOptions(addRegistryOptions(command))
}

/** Declares what decrypts artifacts and decides which are trusted. */
export function addTrustOptions(command: Command): Command {
  return command
    .option('--identity <file>', 'file with identities of age, for encrypted artifacts; may be repeated', collect)
    .option(
      '--verify <file>',
      'public key, in PEM; an artifact that none of them signed is refused; may be repeated',
      collect,
    )
}

/** The options of a registry as they are given; logins are those of docker's config files. */
export async function registryOptions(io: Io, flags: RegistryFlags, configFolder?: string): Promise<RegistryOptions> {
  const { dockerCredentials } = await import('../../oci/index.ts')
  const env = configFolder === undefined ? io.env : { ...io.env, DOCKER_CONFIG: configFolder }
  const ca = flags.registryCa === undefined ? undefined : await readText(io, pathFrom(io, flags.registryCa))
  return {
    credentials: dockerCredentials({ env: { ...env } }),
    env: io.env,
    plainHttp: flags.plainHttp,
    ca,
    insecure: flags.insecureSkipTlsVerify,
    tokenHosts: flags.allowTokenHost,
  }
}

/** Identities and keys, read from their files. */
export async function artifactAccess(io: Io, flags: ArtifactFlags) {
  const { openRepository, parseIdentities } = await import('../../oci/index.ts')
  const registry = await registryOptions(io, flags)
  const identities: string[] = []
  for (const file of flags.identity ?? []) identities.push(...parseIdentities(await readText(io, pathFrom(io, file))))
  const verifyKeys = await Promise.all((flags.verify ?? []).map((file) => readText(io, pathFrom(io, file))))
  const open = (reference: Reference): Target => openRepository(reference, registry)
  return { registry, open, identities, verifyKeys }
}
