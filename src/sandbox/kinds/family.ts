import type { Cause } from '../status-error.ts'
import type { KindRules } from './kind-rules.ts'
import type { Part } from './read.ts'

/** Completes a value of one type in place; the types of its fields complete themselves afterwards. */
export type Complete = (value: Part) => void

/** Finds what is wrong with a value of one type; `path` ends in a dot unless the value is a whole object. */
export type Check = (value: Part, path: string, causes: Cause[]) => void

/** What is known about kinds that belong together. Types go by their names in OpenAPI without `io.k8s.api.`. */
export interface Family {
  readonly defaults?: Readonly<Record<string, Complete>>
  readonly checks?: Readonly<Record<string, Check>>
  /** By `group/Kind`. */
  readonly kinds?: Readonly<Record<string, KindRules>>
}
