import type { ServerResponse } from 'node:http'
import type { Attributes } from '../auth/authorization/attributes.ts'
import { type ActiveFault, type FaultSpec, readFault } from './fault.ts'
import { seededRandom } from './seeded-random.ts'

/** What can be made to go wrong in a sandbox, while it runs. */
export interface FaultControl {
  /** Sets a fault and gives its id. */
  add(spec: FaultSpec): number
  list(): ActiveFault[]
  /** Takes back one fault, or all; requests that hang are cut off. */
  clear(id?: number): void
  /** Cuts every watch that is open now. */
  dropWatches(): number
}

/** The faults of one sandbox. Which requests are struck follows from the seed and the order of requests alone. */
export class Faults implements FaultControl {
  readonly #seed: number
  readonly #active = new Map<number, Active>()
  readonly #watches = new Set<ServerResponse>()
  readonly #hanging = new Set<ServerResponse>()
  #next = 1

  constructor(seed = 1) {
    this.#seed = seed
  }

  add(spec: FaultSpec): number {
    const id = this.#next++
    this.#active.set(id, {
      spec: readFault({ ...spec }),
      path: spec.path === undefined ? undefined : new RegExp(spec.path),
      verbs: verbsOf(spec.verb),
      random: seededRandom(this.#seed + id),
      matched: 0,
      struck: 0,
    })
    return id
  }

  list(): ActiveFault[] {
    return [...this.#active].map(([id, { spec, matched, struck }]) => ({ id, ...spec, matched, struck }))
  }

  clear(id?: number): void {
    if (id === undefined) this.#active.clear()
    else this.#active.delete(id)
    for (const response of this.#hanging) response.destroy()
  }

  dropWatches(): number {
    const dropped = this.#watches.size
    for (const response of this.#watches) response.destroy()
    return dropped
  }

  /** The faults that strike a request; each is counted as soon as it matches. */
  strike(wanted: Attributes): FaultSpec[] {
    const struck: FaultSpec[] = []
    for (const active of this.#active.values()) {
      if (!matches(active, wanted)) continue
      active.matched += 1
      const { spec } = active
      if (active.matched <= (spec.after ?? 0) || active.struck >= (spec.count ?? Number.POSITIVE_INFINITY)) continue
      if (active.random() * 100 >= (spec.percentage ?? 100)) continue
      active.struck += 1
      struck.push(spec)
    }
    return struck
  }

  /** Remembers an open watch, so that it can be cut. */
  watching(response: ServerResponse): void {
    remember(this.#watches, response)
  }

  /** Remembers a request that gets no answer, so that it can be cut off in the end. */
  hang(response: ServerResponse): void {
    remember(this.#hanging, response)
  }
}

interface Active {
  readonly spec: FaultSpec
  readonly path: RegExp | undefined
  readonly verbs: ReadonlySet<string> | undefined
  readonly random: () => number
  matched: number
  struck: number
}

const groups: Readonly<Record<string, readonly string[]>> = {
  read: ['get', 'list', 'watch'],
  write: ['create', 'update', 'patch', 'delete', 'deletecollection'],
}

function verbsOf(verb: string | readonly string[] | undefined): ReadonlySet<string> | undefined {
  if (verb === undefined) return undefined
  const verbs = typeof verb === 'string' ? verb.split(',') : verb
  return new Set(verbs.flatMap((one) => groups[one] ?? [one]))
}

function matches({ spec, path, verbs }: Active, wanted: Attributes): boolean {
  if (verbs !== undefined && !verbs.has(wanted.verb)) return false
  if (path !== undefined && !path.test(wanted.path)) return false
  const { resource } = wanted
  if (spec.namespace !== undefined && resource?.namespace !== spec.namespace) return false
  if (spec.name !== undefined && resource?.name !== spec.name) return false
  if (spec.resource === undefined) return true
  if (resource === undefined) return false
  const [wantedResource = '', subresource = ''] = spec.resource.split('/')
  if (resource.subresource !== subresource) return false
  return resource.resource === wantedResource || `${resource.resource}.${resource.group}` === wantedResource
}

function remember(set: Set<ServerResponse>, response: ServerResponse): void {
  set.add(response)
  response.once('close', () => set.delete(response))
}
