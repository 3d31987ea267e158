// Writes src/schema/data/go-fields.json from the API's Go types: `node scripts/generate-go-facts.ts`. A rerun gives no diff.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { builtinSchema, type RawSchema } from '../src/schema/index.ts'

interface GoFields {
  readonly always?: readonly string[]
  readonly null?: readonly string[]
  readonly zero?: readonly string[]
}

const folder = fileURLToPath(new URL('../testbed/modules/gotypes', import.meta.url))
const output = fileURLToPath(new URL('../src/schema/data/go-fields.json', import.meta.url))

const printed = execFileSync('go', ['run', '.'], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 })
const lines = Object.entries(JSON.parse(printed) as Record<string, GoFields>)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .flatMap(([name, fields]) => formatType(name, fields))
writeFileSync(output, `{\n${lines.join(',\n')}\n}\n`)
console.log(`${lines.length} types`)

function formatType(name: string, { always = [], null: nulls = [], zero = [] }: GoFields): string[] {
  const schema = definitionOf(name)
  if (schema?.properties === undefined) return []
  // Empty lists and maps are left out unless they are always written; only scalars need to be told from pointers.
  const scalars = zero.filter((field) => !isContainer(schema.properties?.[field]))
  const known = (names: readonly string[]): string[] =>
    names.filter((field) => schema.properties?.[field] !== undefined)
  const lists = { always: known(always), null: known(nulls), zero: scalars }
  const entry = Object.fromEntries(Object.entries(lists).filter(([, names]) => names.length > 0))
  return [`${JSON.stringify(name)}:${JSON.stringify(entry)}`]
}

/** The type as OpenAPI knows it; packages that no served kind uses have no file. */
function definitionOf(name: string): RawSchema | undefined {
  try {
    return builtinSchema().definition(name)
  } catch {
    return undefined
  }
}

function isContainer(field: RawSchema | undefined): boolean {
  return field === undefined || field.type === 'array' || (field.type === 'object' && field.properties === undefined)
}
