import { applyFieldSpec, setScalar } from '../config/apply-field-spec.ts'
import type { FieldSpec } from '../config/field-spec.ts'
import { isSelectedBy } from '../resource/gvk.ts'
import type { ResMap } from '../resource/res-map.ts'
import { textOf } from '../yaml/value.ts'

// Their names are not the user's to choose.
const neverRenamed = [
  { group: '', version: '', kind: 'CustomResourceDefinition' },
  { group: 'apiregistration.k8s.io', version: '', kind: 'APIService' },
  { group: '', version: '', kind: 'Namespace' },
]

/** Puts a prefix before names. */
export function addPrefix(resources: ResMap, prefix: string, specs: readonly FieldSpec[]): void {
  rename(resources, specs, prefix, 'namePrefixes', (name) => `${prefix}${name}`)
}

/** Puts a suffix behind names. */
export function addSuffix(resources: ResMap, suffix: string, specs: readonly FieldSpec[]): void {
  rename(resources, specs, suffix, 'nameSuffixes', (name) => `${name}${suffix}`)
}

function rename(
  resources: ResMap,
  specs: readonly FieldSpec[],
  affix: string,
  remembered: 'namePrefixes' | 'nameSuffixes',
  change: (name: string) => string,
): void {
  for (const resource of resources.resources) {
    const { gvk } = resource.originalId()
    if (neverRenamed.some((kind) => isSelectedBy(gvk, kind))) continue
    for (const spec of specs) {
      if (!isSelectedBy(gvk, spec)) continue
      if (spec.path === 'metadata/name' && affix !== '') {
        resource[remembered].push(affix)
        resource.storeId()
      }
      applyFieldSpec(resource, spec, 'scalar', (slot) => setScalar(slot, change(textOf(slot.get()))))
    }
  }
}
