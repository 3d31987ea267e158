import { openHostGuard } from '../../../net/index.ts'
import type { RegistryOptions } from '../../../oci/index.ts'
import { type ChartAccess, helmHome } from '../../../render/helm/index.ts'
import { httpFetch } from '../remote/http-fetch.ts'
import { registryCharts } from './registry-charts.ts'

/** Where charts are looked for. */
export interface ChartAccessOptions {
  /** The environment that names Helm's folders and the proxies (default: that of this process). */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** How registries are reached. */
  readonly registry?: RegistryOptions | undefined
}

/** The chart repositories that the user added for Helm, and all registries. */
export function chartAccess({ env = process.env, registry = {} }: ChartAccessOptions = {}): ChartAccess {
  // Registries are connected to at the addresses that were checked.
  const { isPrivate, addresses } = openHostGuard()
  return {
    home: helmHome(env),
    fetch: httpFetch({ env }),
    registry: registryCharts({ env, resolve: addresses, ...registry }),
    isPrivate,
  }
}
