import {
  type Context,
  formatApiVersion,
  type GroupVersionKind,
  isLadingError,
  LadingError,
  toLadingError,
} from '../../core/index.ts'
import { unlessAborted } from '../transport/abort.ts'
import type { ApiResource, Discovery } from '../cluster.ts'
import { discoveryCache } from './discovery-cache.ts'
import { fetchDiscovery, type ServedResources } from './fetch-discovery.ts'
import type { Transport } from '../transport/transport.ts'

/** Where discovery remembers what it read. */
export interface DiscoveryOptions {
  /** Directory of the disk cache; without it nothing outlives the process. */
  readonly cacheDir?: string
}

/** One reading; `sequence` counts readings by when they began, 0 is the disk. */
interface Table extends ServedResources {
  readonly sequence: number
  readonly byKind: ReadonlyMap<string, ApiResource>
}

/**
 * Discovery of one server: read at first use, again when a kind is unknown or after `invalidate`, and only once for
 * all who wait for it. A kind may be looked up without version, which finds its preferred one.
 */
export function createDiscovery(transport: Transport, options: DiscoveryOptions = {}): Discovery {
  const cache = options.cacheDir === undefined ? undefined : discoveryCache(options.cacheDir, transport)
  let table: Table | undefined
  let reading: { readonly sequence: number; readonly result: Promise<Table> } | undefined
  let started = 0
  /** Readings that began at or before this one are out of date. */
  let floor = cache === undefined ? 0 : -1

  /** The newest table, from a reading that began after the given one; joins a reading that is under way. */
  async function readAfter(sequence: number, ctx: Context): Promise<Table> {
    for (;;) {
      if (table !== undefined && table.sequence > Math.max(sequence, floor)) return table
      reading ??= begin(sequence, ctx)
      try {
        await unlessAborted(reading.result, ctx.signal)
      } catch (error) {
        // Somebody else's reading was cancelled; this caller still wants the answer.
        if (ctx.signal.aborted || !isLadingError(toLadingError(error), 'cancelled', 'timeout')) throw error
      }
    }
  }

  function begin(after: number, ctx: Context): { sequence: number; result: Promise<Table> } {
    const fromDisk = cache !== undefined && started === 0 && Math.max(after, floor) < 0
    const sequence = fromDisk ? 0 : ++started
    const result = (fromDisk ? readDisk(ctx) : readServer(sequence, ctx)).finally(() => {
      if (reading?.sequence === sequence) reading = undefined
    })
    // Every caller may have gone by the time it fails.
    result.catch(() => undefined)
    return { sequence, result }
  }

  async function readDisk(ctx: Context): Promise<Table> {
    const served = await cache?.read(ctx)
    if (served === undefined) return readServer(++started, ctx)
    return keep(0, served)
  }

  async function readServer(sequence: number, ctx: Context): Promise<Table> {
    const served = withLastKnown(await fetchDiscovery(transport, ctx), table)
    await cache?.write(served, ctx)
    return keep(sequence, served)
  }

  function keep(sequence: number, served: ServedResources): Table {
    table = { ...served, sequence, byKind: indexByKind(served.resources) }
    return table
  }

  return {
    async find(gvk, ctx) {
      const before = started
      const known = await readAfter(-1, ctx)
      const found = known.byKind.get(kindKey(gvk))
      if (found !== undefined) return found
      const fresh = await readAfter(before, ctx)
      return fresh.byKind.get(kindKey(gvk)) ?? missing(fresh, gvk)
    },
    async all(ctx) {
      return (await readAfter(-1, ctx)).resources
    },
    invalidate() {
      floor = started
      cache?.forget()
    },
  }
}

/** A group that does not answer may well serve the kind: saying "unknown" would make callers believe it is gone. */
function missing(table: Table, gvk: GroupVersionKind): undefined {
  const silent = table.stale.find((groupVersion) =>
    gvk.version === '' ? groupVersion.startsWith(`${gvk.group}/`) : groupVersion === formatApiVersion(gvk),
  )
  if (silent === undefined) return undefined
  throw new LadingError('kube.server-error', `the API service of ${silent} does not answer`, { groupVersion: silent })
}

/** Fills the group versions that do not answer with what they served before. */
function withLastKnown(served: ServedResources, last: ServedResources | undefined): ServedResources {
  if (served.stale.length === 0 || last === undefined) return served
  const answered = new Set(served.resources.map(formatApiVersion))
  const unanswered = new Set(served.stale.filter((groupVersion) => !answered.has(groupVersion)))
  const kept = last.resources.filter((resource) => unanswered.has(formatApiVersion(resource)))
  return { resources: [...served.resources, ...kept], stale: served.stale }
}

function indexByKind(resources: readonly ApiResource[]): Map<string, ApiResource> {
  const index = new Map<string, ApiResource>()
  for (const resource of resources) {
    for (const key of [kindKey(resource), kindKey({ ...resource, version: '' })]) {
      const other = index.get(key)
      // Two resources may share a kind (a virtual one for reviews, say); the one whose objects can be read is meant.
      if (other === undefined || (!other.verbs.includes('get') && resource.verbs.includes('get')))
        index.set(key, resource)
    }
  }
  return index
}

function kindKey({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`
}
