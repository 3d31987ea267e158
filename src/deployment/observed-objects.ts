import type { Clock } from '../core/index.ts'

/** Which version of which object something is. */
export interface ObservedVersion {
  readonly uid?: string | undefined
  readonly resourceVersion: string
}

interface Known<Value> extends ObservedVersion {
  readonly value: Value
}

/** How long a write may stay unseen by the watch before the watch is believed that the object is gone. */
const unseenMs = 30_000

/** The newest known version of objects: what a watch tells, and until the watch has caught up, what was written. */
export class ObservedObjects<Value> {
  readonly #known = new Map<string, Known<Value>>()
  /** When objects were written that no watch has told of. */
  readonly #unseen = new Map<string, number>()
  readonly #changed: (key: string, value: Value | undefined, before: Value | undefined) => void
  readonly #clock: Clock

  constructor(changed: (key: string, value: Value | undefined, before: Value | undefined) => void, clock: Clock) {
    this.#changed = changed
    this.#clock = clock
  }

  values(): IterableIterator<Value> {
    return this.#known.values().map(({ value }) => value)
  }

  /** The watch tells of an object. */
  seen(key: string, value: Value, version: ObservedVersion): void {
    this.#unseen.delete(key)
    this.#sweep()
    const known = this.#known.get(key)
    if (known !== undefined && isNewer(known, version)) return
    this.#set(key, { value, ...version })
  }

  /** The watch tells that an object is gone. */
  gone(key: string, version: ObservedVersion): void {
    this.#sweep()
    const known = this.#known.get(key)
    if (known === undefined) return
    // An object that was created again in the meantime is another one.
    if (known.uid === undefined ? isNewer(known, version) : known.uid !== version.uid) return
    this.#remove(key)
  }

  /** Takes over what a write gave, so that whoever wrote reads it at once. */
  wrote(key: string, value: Value, version: ObservedVersion): void {
    const known = this.#known.get(key)
    if (known !== undefined && isNewer(known, version)) return
    if (known === undefined) this.#unseen.set(key, this.#clock.now())
    this.#set(key, { value, ...version, uid: version.uid ?? known?.uid })
  }

  /** Forgets everything of which the test says so: another watch begins from nothing. */
  forget(isForgotten: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#known) if (isForgotten(value)) this.#remove(key)
  }

  #sweep(): void {
    if (this.#unseen.size === 0) return
    const end = this.#clock.now() - unseenMs
    for (const [key, at] of this.#unseen) if (at < end) this.#remove(key)
  }

  #set(key: string, known: Known<Value>): void {
    const before = this.#known.get(key)?.value
    this.#known.set(key, known)
    this.#changed(key, known.value, before)
  }

  #remove(key: string): void {
    const before = this.#known.get(key)?.value
    this.#known.delete(key)
    this.#unseen.delete(key)
    this.#changed(key, undefined, before)
  }
}

/** Resource versions of one cluster grow, as Kubernetes promises since 1.35. */
function isNewer({ resourceVersion: a }: ObservedVersion, { resourceVersion: b }: ObservedVersion): boolean {
  return a.length === b.length ? a > b : a.length > b.length
}
