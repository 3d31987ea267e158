import { parseDocuments } from '../src/core/yaml/index.ts'

interface Spec {
  readonly path: string
  readonly group?: string
  readonly version?: string
  readonly kind?: string
  readonly create?: boolean
}

interface Reference extends Omit<Spec, 'path' | 'create'> {
  readonly fieldSpecs: readonly Spec[]
}

type Table = Readonly<Record<string, readonly Spec[]>> & { readonly nameReference: readonly Reference[] }

// The rows that kustomize joins for its own defaults; the other constants are parts of these.
const wanted = /^\w+FieldSpecs$/

/**
 * The places that kustomize's transformers know, from the constants in its Go sources: texts of YAML in backquotes, some put
 * together from others. A row is `path kind group/version create`, a star where any will do.
 */
export function kustomizeFieldSpecs(goSources: readonly string[]): unknown {
  const constants = new Map<string, string>()
  for (const source of goSources) {
    for (const [, name, expression] of source.matchAll(/(\w+)\s*=\s*((?:`[^`]*`|\w+)(?:\s*\+\s*(?:`[^`]*`|\w+))*)/g)) {
      if (expression!.includes('`')) constants.set(name!, expression!)
    }
  }
  const resolve = (name: string): string => {
    const expression = constants.get(name)
    if (expression === undefined) throw new Error(`there is no constant ${name}`)
    return expression.replaceAll(/`([^`]*)`|\s*\+\s*|(\w+)/g, (_, text?: string, other?: string) =>
      other === undefined ? (text ?? '') : resolve(other),
    )
  }
  const tables = [...constants.keys()]
    .filter((name) => wanted.test(name))
    .map((name) => parseDocuments(resolve(name))[0]?.value)
    // A list is a part of another table.
    .filter((value) => !Array.isArray(value))
  const { nameReference, ...table } = Object.assign({}, ...tables) as Table
  return {
    ...Object.fromEntries(Object.entries(table).map(([name, specs]) => [name, (specs as Spec[]).map(rowOf)])),
    nameReference: Object.fromEntries(nameReference.map((each) => [gvkOf(each), each.fieldSpecs.map(rowOf)] as const)),
  }
}

function rowOf(spec: Spec): string {
  return `${spec.path} ${gvkOf(spec)}${spec.create === true ? ' create' : ''}`
}

function gvkOf({ kind = '*', group, version }: Omit<Spec, 'path'>): string {
  return `${kind} ${group === undefined && version === undefined ? '*' : `${group ?? ''}/${version ?? ''}`}`
}
