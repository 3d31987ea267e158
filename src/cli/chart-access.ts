import type { Command } from 'commander'
import { type Context, defined, isLadingError, LadingError, readGivenFile, stringifyJson } from '../core/index.ts'
import type {
  ChartAccess,
  ChartRegistry,
  RepositoryEntry,
  ResolvedChart,
  ResolveOptions,
} from '../render/helm/index.ts'
import type { RegistryOptions } from '../oci/index.ts'
import { pathFrom } from './connect.ts'
import type { Io } from './io.ts'
import { withTarget } from './open-target.ts'
import { readText } from './files/read-text.ts'
import type { RegistryFlags } from './options/registry-options.ts'

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

/** The repositories of the user and the registries of his logins. */
export async function chartAccess(io: Io, flags: RegistryFlags): Promise<ChartAccess> {
  const [{ httpFetch }, { helmHome }, { openHostGuard }] = await Promise.all([
    import('../release/index.ts'),
    import('../render/helm/index.ts'),
    import('../net/index.ts'),
  ])
  // The registry is connected to at the addresses that were judged.
  const { isPrivate, addresses } = openHostGuard()
  const registry = chartRegistry(io, flags, addresses)
  return { home: helmHome(io.env), fetch: httpFetch({ env: io.env }), registry, isPrivate }
}

/** The login and certificates of a repository, as flags give them. */
export async function repositoryOf(io: Io, url: string, flags: ChartFlags): Promise<Omit<RepositoryEntry, 'name'>> {
  const { username, caFile, certFile, keyFile } = flags
  if (flags.passwordStdin === true && username === undefined)
    throw new LadingError('usage.invalid', 'give --username with --password-stdin')
  const password = flags.passwordStdin === true ? (await readText(io, '-')).replace(/\r?\n$/, '') : undefined
  return {
    url,
    ...defined({ username, password }),
    ...(caFile === undefined ? {} : { caFile: pathFrom(io, caFile) }),
    ...(certFile === undefined ? {} : { certFile: pathFrom(io, certFile) }),
    ...(keyFile === undefined ? {} : { keyFile: pathFrom(io, keyFile) }),
    ...(flags.passCredentials === true ? { passCredentialsAll: true } : {}),
    ...(flags.insecureSkipTlsVerify === true ? { insecureSkipTlsVerify: true } : {}),
  }
}

/** Fetches the chart that a text names: REPO/CHART, https://…, oci://…, or a name with --repo. */
export async function fetchChart(
  io: Io,
  text: string,
  flags: ChartFlags,
  more: Pick<ResolveOptions, 'keyring' | 'withProvenance'>,
  ctx: Context,
): Promise<ResolvedChart> {
  const { resolveChart } = await import('../render/helm/index.ts')
  const { version, devel, repo } = flags
  const options: ResolveOptions = {
    ...more,
    ...defined({ version, devel }),
    ...(repo === undefined ? {} : { repository: await repositoryOf(io, repo, flags) }),
  }
  return resolveChart(text, options, await chartAccess(io, flags), ctx)
}

/** The bytes of the keyring that was given, or of gpg's own. */
export async function keyringOf(io: Io, file: string | undefined): Promise<Uint8Array> {
  const { helmHome } = await import('../render/helm/index.ts')
  const path = file === undefined ? helmHome(io.env).keyring : pathFrom(io, file)
  return readGivenFile(path).catch((error: unknown) => {
    if (isLadingError(error)) throw error
    throw new LadingError(
      'file.not-found',
      `the keyring ${path} cannot be read: give --keyring`,
      { file: path },
      { cause: error },
    )
  })
}

function chartRegistry(io: Io, flags: RegistryFlags, resolve: RegistryOptions['resolve']): ChartRegistry {
  return {
    tags: (reference, ctx) => withTarget(io, reference, flags, ({ target }) => target.tags(ctx), resolve),
    pull: (reference, range, ctx) =>
      withTarget(
        io,
        reference,
        flags,
        async ({ target, tag, name, reference: parsed }) => {
          const { pullArtifact } = await import('../oci/index.ts')
          const { newestVersion } = await import('../render/helm/index.ts')
          let wanted = name
          if (tag === undefined && parsed?.digest === undefined) {
            const tags = await target.tags(ctx)
            const found = newestVersion(
              tags.map((each) => each.replaceAll('_', '+')),
              range ?? '*',
            )
            if (found === undefined)
              throw new LadingError(
                'chart.not-found',
                `no version of ${reference} fits ${stringifyJson(range ?? '*')}`,
                {
                  reference,
                },
              )
            wanted = found.replaceAll('+', '_')
          }
          const { chart } = await pullArtifact(target, wanted, {}, ctx)
          if (chart === undefined)
            throw new LadingError('artifact.invalid', `${reference} is no Helm chart`, { reference })
          return chart
        },
        resolve,
      ),
  }
}
