/** Something that an abort must end. */
export interface Abortable {
  abort(reason: unknown): void
}

/**
 * Ends exchanges when a signal aborts, with one listener for all exchanges under the same signal: adding and removing a
 * listener for every request is linear in the requests in flight, and shows at thousands of objects.
 */
export class AbortGroups {
  readonly #groups = new Map<AbortSignal, { members: Set<Abortable>; listener: () => void }>()

  add(signal: AbortSignal, member: Abortable): void {
    const group = this.#groups.get(signal)
    if (group !== undefined) {
      group.members.add(member)
      return
    }
    const members = new Set([member])
    const listener = (): void => {
      this.#groups.delete(signal)
      for (const each of members) each.abort(signal.reason)
    }
    this.#groups.set(signal, { members, listener })
    signal.addEventListener('abort', listener, { once: true })
  }

  remove(signal: AbortSignal, member: Abortable): void {
    const group = this.#groups.get(signal)
    if (group === undefined) return
    group.members.delete(member)
    if (group.members.size > 0) return
    this.#groups.delete(signal)
    signal.removeEventListener('abort', group.listener)
  }
}
