import { type Context, LadingError } from '../../../core/index.ts'
import { type ChartAccess, chartArchiveFiles, type ChartRegistry, resolveChart } from '../../../render/helm/index.ts'
import type { FetchedRemote, RemoteChart } from '../../../render/kustomize/index.ts'
import { type AllowedHosts, shown } from './allowed-hosts.ts'
import { digestOf } from './remote-record.ts'

/** Fetches a chart of `helmCharts` from its repository or registry; without `allowUnpinned`, only an exact version. */
export async function fetchRemoteChart(
  { repo, name, version, namedBy }: RemoteChart,
  allowUnpinned: boolean,
  hosts: AllowedHosts,
  access: ChartAccess,
  ctx: Context,
): Promise<FetchedRemote> {
  if (!allowUnpinned && !/^v?\d+\.\d+\.\d+(?:[-+].*)?$/.test(version)) {
    const problem = `helmCharts: ${name} of ${shown(repo)} has no exact version: give one, or --allow-unpinned to take the newest`
    throw new LadingError('kustomize.refused', problem, { field: 'helmCharts', name })
  }
  const { fetch, registry, ...rest } = access
  const through: ChartAccess = {
    ...rest,
    // A base of the internet must not lead into a private network by a chart either.
    fetch: namedBy === undefined ? fetch : (url, options) => fetch(url, { ...options, namedBy }),
    ...(registry === undefined ? {} : { registry: guardRegistry(registry, namedBy, hosts, access) }),
  }
  const choice = version === '' ? {} : { version }
  const found = repo.startsWith('oci://')
    ? await resolveChart(`${repo.replace(/\/+$/, '')}/${name}`, choice, through, ctx)
    : await resolveChart(name, { ...choice, repository: { url: repo } }, through, ctx)
  const { archive, chart } = found
  return {
    type: 'chart',
    files: chartArchiveFiles(archive),
    record: { type: 'chart', url: shown(repo), name, version: chart.metadata.version, digest: digestOf(archive) },
  }
}

function guardRegistry(
  registry: ChartRegistry,
  namedBy: string | undefined,
  hosts: AllowedHosts,
  { isPrivate }: ChartAccess,
): ChartRegistry {
  const demand = async (reference: string): Promise<void> => {
    hosts.demand(reference)
    if (namedBy === undefined || isPrivate === undefined) return
    const [from, to] = [namedBy, reference.replace(/^oci:/, 'https:')].map((url) => URL.parse(url)?.hostname ?? '')
    if (!(await isPrivate(to!)) || (await isPrivate(from!))) return
    throw new LadingError('repo.unsafe', `${shown(namedBy)} leads into a private network, to ${to}`)
  }
  return {
    async tags(reference, ctx) {
      await demand(reference)
      return registry.tags(reference, ctx)
    },
    async pull(reference, range, ctx) {
      await demand(reference)
      return registry.pull(reference, range, ctx)
    },
  }
}
