import { readFileSync } from 'node:fs'

/** How Go writes the fields of a type. A field in no set is a pointer, a list or a map. */
export interface GoFields {
  /** Written whatever they hold. */
  readonly always: ReadonlySet<string>
  /** Pointers that are written as null when nothing is behind them. */
  readonly null: ReadonlySet<string>
  /** Scalars that are no pointers: left out when they hold their zero value. */
  readonly zero: ReadonlySet<string>
}

/** How the API server writes the fields of a built-in type: OpenAPI does not tell a pointer from a value. */
export function goFields(typeName: string): GoFields {
  // oxlint-disable-next-line no-restricted-properties -- a data file of this package, without large numbers
  table ??= JSON.parse(readFileSync(new URL('./data/go-fields.json', import.meta.url), 'utf8')) as Table
  const { always, null: nulls, zero } = table[typeName] ?? {}
  return { always: new Set(always), null: new Set(nulls), zero: new Set(zero) }
}

type Table = Readonly<Record<string, { always?: string[]; null?: string[]; zero?: string[] }>>

// Constant data, read once.
let table: Table | undefined
