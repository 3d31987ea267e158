/**
 * Reads and writes YAML the way Kubernetes tools do.
 *
 * @module
 */
export type { YamlDocument } from './construct.ts'
export { decodeText } from './decode-text.ts'
export { parseDocuments, parseYamlValue, type ReadOptions } from './parse-documents.ts'
export { lineOf } from './place-of.ts'
export { objectsOf, type PlacedObject, readObjects, readPlacedObjects } from './read-objects.ts'
export { replaceScalars, type YamlScalar } from './replace-scalars.ts'
export { writeDocuments, writeYaml } from './write-yaml.ts'
export type { Place } from './place.ts'
