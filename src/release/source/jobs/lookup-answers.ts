import { isRecord, type LadingError, stringifyJson } from '../../../core/index.ts'
import type { LookupQuery } from '../cluster-view.ts'

/** What the cluster answered to a lookup. */
export type LookupAnswer = { readonly value: unknown } | { readonly error: LadingError }

/** Lookups that were answered, by their keys. */
export type LookupAnswers = ReadonlyMap<string, LookupAnswer>

/** Answers a lookup with what is known; what is not known yet is noted, and nothing is found. */
export function answerLookup(answers: LookupAnswers, asked: Map<string, LookupQuery>, query: LookupQuery): unknown {
  const { apiVersion, kind, namespace, name } = query
  const key = stringifyJson([apiVersion, kind, namespace, name])
  const found = answers.get(key)
  if (found === undefined) {
    asked.set(key, query)
    return {}
  }
  if ('error' in found) throw found.error
  return isRecord(found.value) ? found.value : {}
}
