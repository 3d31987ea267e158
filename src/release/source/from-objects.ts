import type { KubeObject } from '../../core/index.ts'
import type { Content } from '../intent.ts'
import { sourceDigest } from './source-digest.ts'

/** What is recorded with objects that were made in code. */
export interface FromObjectsOptions {
  /** What the record calls the source (default: `objects`). */
  readonly name?: string
  readonly version?: string
  /** What the objects were made with; recorded, and shown by `lading get values`. */
  readonly values?: Readonly<Record<string, unknown>>
  /** How to use what was installed. */
  readonly notes?: string
}

/**
 * Makes the content of a release from objects made in code, without its name: `install(engine, { release, ...fromObjects(objects) }, {}, ctx)`.
 */
export function fromObjects(
  objects: readonly KubeObject[],
  { name = 'objects', version, values = {}, notes }: FromObjectsOptions = {},
): Omit<Content, 'release'> {
  return {
    objects,
    source: { type: 'manifest', name, version, digest: sourceDigest(objects) },
    values,
    userValues: values,
    provenance: { sources: {} },
    notes,
  }
}
