import { createMask, type KubeObject, maskSecret } from '../../core/index.ts'
import { readObjects, writeDocuments } from '../../core/yaml/index.ts'
import type { ReleaseRecord, ValueSource } from './record.ts'

/** How much of a record is shown. */
export interface ShowOptions {
  /** Shows the values of Secrets, which are masked otherwise. */
  readonly showSecrets?: boolean
}

/** The values that the user gave, or with `all` those that came of them and the defaults. */
export function valuesOf(record: ReleaseRecord, all = false): Readonly<Record<string, unknown>> {
  return all ? record.values : (record.userValues ?? record.values)
}

/** The rendered objects of a revision as YAML documents. */
export function manifestOf(record: ReleaseRecord, options: ShowOptions = {}): string {
  if (options.showSecrets === true) return record.manifest
  return masked(readObjects(record.manifest))
}

/** The hooks of a revision as YAML documents. */
export function hookManifestOf(record: ReleaseRecord, options: ShowOptions = {}): string {
  const objects = record.hooks.map(({ object }) => object)
  return options.showSecrets === true ? writeDocuments(objects) : masked(objects)
}

/** Where one value of a revision came from. */
export interface ValueProvenance {
  readonly path: string
  readonly source: ValueSource
  /** The file or the flag that gave it; absent for defaults. */
  readonly origin?: string
}

/** Where each value of a revision came from. */
export function provenanceOf({ valuesProvenance: { sources, origins = {} } }: ReleaseRecord): ValueProvenance[] {
  return Object.entries(sources).map(([path, source]) => {
    const origin = Object.hasOwn(origins, path) ? origins[path] : undefined
    return { path, source, ...(origin === undefined ? {} : { origin }) }
  })
}

function masked(objects: readonly KubeObject[]): string {
  const mask = createMask()
  return writeDocuments(objects.map((object) => maskSecret(object, mask)))
}
