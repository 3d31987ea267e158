import { methodNotAllowed, noSuchPath, StatusError } from '../status-error.ts'
import type { Store } from '../store.ts'
import { readFault } from './fault.ts'
import type { Faults } from './faults.ts'

/** Answers requests to `/_sandbox/...`, which change how a running sandbox behaves. */
export type Control = (method: string, parts: readonly string[], query: URLSearchParams, body: unknown) => unknown

/** The first segment of control paths. Faults never apply to them. */
export const controlRoot = '_sandbox'

/** `faults`: GET, POST one, DELETE all or `?id=`. `compact`: POST. `watches`: DELETE cuts all that are open. */
export function controlOf(store: Store, faults: Faults): Control {
  return (method, parts, query, body) => {
    switch (parts.slice(1).join('/')) {
      case 'faults':
        return controlFaults(faults, method, query, body)
      case 'compact':
        if (method !== 'POST') throw methodNotAllowed()
        store.compact()
        return { compacted: String(store.version) }
      case 'watches':
        if (method !== 'DELETE') throw methodNotAllowed()
        return { dropped: faults.dropWatches() }
      default:
        throw noSuchPath()
    }
  }
}

function controlFaults(faults: Faults, method: string, query: URLSearchParams, body: unknown): unknown {
  switch (method) {
    case 'GET':
      return { faults: faults.list() }
    case 'POST': {
      const id = faults.add(readFault(body))
      return faults.list().find((fault) => fault.id === id)
    }
    case 'DELETE': {
      const id = query.get('id')
      if (id !== null && !faults.list().some((fault) => String(fault.id) === id)) {
        throw new StatusError(404, 'NotFound', `there is no fault ${id}`)
      }
      faults.clear(id === null ? undefined : Number(id))
      return { faults: faults.list() }
    }
    default:
      throw methodNotAllowed()
  }
}
