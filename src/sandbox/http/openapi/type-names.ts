import { type GroupVersionKind, isRecord } from '../../../core/index.ts'
import type { OpenApiDocument } from '../../../schema/index.ts'

/** OpenAPI's names of types by the kinds that they are of. */
export type TypeNames = ReadonlyMap<string, string>

/** Reads which types of a document are of which kinds; options stand under every group and are of none. */
export function typeNamesOf(document: OpenApiDocument): TypeNames {
  const names = new Map<string, string>()
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const kinds = isRecord(schema) ? schema['x-kubernetes-group-version-kind'] : undefined
    if (!Array.isArray(kinds) || kinds.length !== 1) continue
    for (const gvk of kinds as GroupVersionKind[]) names.set(gvkText(gvk), name)
  }
  return names
}

/** The text that stands for a kind. */
export function gvkText(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}/${gvk.kind}`
}
