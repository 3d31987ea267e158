import { readFileSync } from 'node:fs'

/** What a patch needs to know about a type: which lists merge, and by which keys. */
export interface MergeSchema {
  field(name: string): MergeSchema | undefined
  element(): MergeSchema | undefined
  /** The keys that tell the items of a list apart, none for a list of scalars; undefined where the list is replaced. */
  readonly mergeKeys: readonly string[] | undefined
}

/** Finds the type of an object. */
export type SchemaLookup = (apiVersion: string, kind: string) => MergeSchema | undefined

type Entry = number | { readonly merge?: readonly string[]; readonly of?: Entry; readonly each?: Entry }

interface Table {
  readonly types: Readonly<Record<string, number>>
  readonly defs: readonly Readonly<Record<string, Entry>>[]
}

/** The types that kustomize carries, those of Kubernetes 1.21: lists of newer and of custom types are replaced. */
export function builtinMergeSchema(): SchemaLookup {
  // oxlint-disable-next-line no-restricted-properties -- a data file of this package, without large numbers
  const table = JSON.parse(readFileSync(new URL('../data/merge-keys.json', import.meta.url), 'utf8')) as Table
  return (apiVersion, kind) => {
    const type = table.types[`${apiVersion}/${kind}`]
    return type === undefined ? undefined : schemaOf(table, type)
  }
}

function schemaOf(table: Table, entry: Entry | undefined): MergeSchema | undefined {
  if (entry === undefined) return undefined
  if (typeof entry === 'number') {
    const fields = table.defs[entry]!
    return {
      field: (name) => (Object.hasOwn(fields, name) ? schemaOf(table, fields[name]) : undefined),
      element: () => undefined,
      mergeKeys: undefined,
    }
  }
  return {
    field: () => schemaOf(table, entry.each),
    element: () => schemaOf(table, entry.of),
    mergeKeys: entry.merge,
  }
}
