import type { Command } from 'commander'
import { defined, LadingError } from '../../core/index.ts'
import type { ChartAccess, RepositoryEntry } from '../../render/helm/index.ts'
import { pathFrom } from '../connect.ts'
import type { Io } from '../io.ts'
import { readText } from '../files/read-text.ts'
import { type RegistryFlags, registryOptions } from './registry-options.ts'

/** Where a chart is looked for. */
export interface ChartFlags extends RegistryFlags {
  readonly version?: string
  readonly devel?: boolean
  readonly repo?: string
  readonly username?: string
  readonly passwordStdin?: boolean
  readonly caFile?: string
  readonly certFile?: string
  readonly keyFile?: string
  readonly passCredentials?: boolean
  readonly keyring?: string
}

/** Declares the options of a repository's login. */
export function addLoginOptions(command: Command): Command {
  return command
    .option('--username <name>', 'user of the chart repository')
    .option('--password-stdin', 'read the password of the chart repository from standard input')
    .option('--ca-file <file>', 'certificate authority of the chart repository, in PEM')
    .option('--cert-file <file>', 'client certificate for the chart repository, in PEM')
    .option('--key-file <file>', 'key of the client certificate, in PEM')
    .option(
      '--pass-credentials',
      'send user and password to other hosts too, where the repository keeps archives there',
    )
}

/** Declares the options of a chart that may have to be fetched. */
export function addChartOptions(command: Command): Command {
  return addLoginOptions(command)
    .option('--repo <url>', 'chart repository in which the chart is looked up by its name')
    .option('--version <range>', 'version of the chart, or a range of which the newest is taken')
    .option('--devel', 'take prereleases too')
}

/** The chart repositories of the user, and registries as flags say. */
export async function chartAccess(io: Io, flags: RegistryFlags): Promise<ChartAccess> {
  const { chartAccess: open } = await import('../../release/source/chart/index.ts')
  return open({ env: io.env, registry: await registryOptions(io, flags) })
}

/** The login and certificates of a repository, as flags give them. */
export async function repositoryOf(io: Io, url: string, flags: ChartFlags): Promise<Omit<RepositoryEntry, 'name'>> {
  const { username, caFile, certFile, keyFile } = flags
  if (flags.passwordStdin === true && username === undefined)
    throw new LadingError('usage.invalid', 'give --username with --password-stdin')
  const password = flags.passwordStdin === true ? (await readText(io, '-')).replace(/\r?\n$/, '') : undefined
  const path = (file: string | undefined) => (file === undefined ? undefined : pathFrom(io, file))
  return {
    url,
    ...defined({
      username,
      password,
      caFile: path(caFile),
      certFile: path(certFile),
      keyFile: path(keyFile),
      passCredentialsAll: flags.passCredentials,
      insecureSkipTlsVerify: flags.insecureSkipTlsVerify,
    }),
  }
}

/** Which chart flags mean, and where it is looked for. */
export async function chartOptions(io: Io, flags: ChartFlags) {
  const { version, devel, repo } = flags
  const repository = repo === undefined ? undefined : await repositoryOf(io, repo, flags)
  return { ...defined({ version, devel, repository }), access: await chartAccess(io, flags) }
}

/** The bytes of the keyring that was given, or of gpg's own. */
export async function keyringOf(io: Io, file: string | undefined): Promise<Uint8Array> {
  const { readKeyring } = await import('../../release/source/chart/index.ts')
  return readKeyring(file === undefined ? undefined : pathFrom(io, file), io.env)
}
