import type { KubeObject } from '../core/index.ts'

/** The numbers of the stored revisions of each deployment, by the deployment's uid. */
export class RevisionNumbers {
  readonly #numbers = new Map<string, Set<number>>()
  readonly #changed: (uid: string) => void

  constructor(changed: (uid: string) => void) {
    this.#changed = changed
  }

  /** The number of the newest revision. */
  newest(uid: string): number | undefined {
    const numbers = this.#numbers.get(uid)
    return numbers === undefined ? undefined : Math.max(...numbers)
  }

  /** A revision was stored. */
  add(uid: string, number: number): void {
    const before = this.newest(uid)
    this.#numbers.set(uid, (this.#numbers.get(uid) ?? new Set()).add(number))
    if (before === undefined || number > before) this.#changed(uid)
  }

  /** What a watch tells of a stored revision; its name ends in its number. */
  take(type: 'added' | 'modified' | 'deleted', { metadata }: KubeObject): void {
    const number = Number(metadata.name.slice(metadata.name.lastIndexOf('-') + 1))
    for (const { uid } of metadata.ownerReferences ?? []) {
      if (type === 'deleted') this.#remove(uid, number)
      else this.add(uid, number)
    }
  }

  /** Forgets all numbers: another watch begins from nothing. */
  clear(): void {
    this.#numbers.clear()
  }

  #remove(uid: string, number: number): void {
    const numbers = this.#numbers.get(uid)
    if (numbers?.delete(number) !== true) return
    if (numbers.size === 0) this.#numbers.delete(uid)
    this.#changed(uid)
  }
}
