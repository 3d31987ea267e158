import { applyFieldSpec, setEntry } from '../config/apply-field-spec.ts'
import type { FieldSpec } from '../config/field-spec.ts'
import type { ResMap } from '../resource/res-map.ts'
import { compareText } from '../yaml/value.ts'

/** Sets labels or annotations in every place that the specifications name. */
export function setTextsIn(
  resources: ResMap,
  texts: Readonly<Record<string, string>>,
  specs: readonly FieldSpec[],
): void {
  const keys = Object.keys(texts).sort(compareText)
  for (const resource of resources.resources) {
    for (const key of keys) {
      const set = setEntry(key, texts[key]!)
      for (const spec of specs) applyFieldSpec(resource, spec, 'map', set)
    }
  }
}
