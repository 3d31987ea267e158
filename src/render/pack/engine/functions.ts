import { dataFilters } from './data-filters.ts'
import type { FilterTable } from './filter.ts'
import { display, map, number, plain, TemplateFailure, text } from './value.ts'

/** What functions need of the world. */
export interface FunctionWorld {
  readonly now: () => Date
  readonly uuid: () => string
  readonly lookup: (apiVersion: string, kind: string, namespace: string, name: string) => unknown
  /** Renders a text; without a context, with what every template sees. */
  readonly render: (template: string, context: unknown) => string
}

/** Functions by the names that Sherpack gives them. */
export function functionTable(world: FunctionWorld): FilterTable {
  return {
    fail: (message) => {
      throw new TemplateFailure(text(message, 'fail'))
    },
    dict: (...args) => dict(args),
    list: (...args) => args.map(plain),
    get: (value, key, otherwise) => plain(member(value, key) ?? otherwise),
    set: (value, key, item) => plain(new Map([...map(value, 'set'), [text(key, 'set'), item]])),
    unset: (value, key) => plain(new Map([...map(value, 'unset')].filter(([each]) => each !== key))),
    dig: (value, ...keys) => dig(value, keys),
    coalesce: (...args) => plain(args.find((each) => each !== undefined && each !== null && each !== '')),
    ternary: (yes, no, condition) => plain(isTrue(condition) ? yes : no),
    uuidv4: () => world.uuid(),
    tostring: (value) => display(value),
    toint: (value) => toInt(value),
    tofloat: (value) => dataFilters['float']!(value),
    now: () =>
      world
        .now()
        .toISOString()
        .replace(/\.\d+Z$/, 'Z'),
    printf: (format, ...args) => printf(text(format, 'printf'), args),
    tpl: (template, context) => world.render(text(template, 'tpl'), plain(context)),
    tpl_ctx: (template) => world.render(text(template, 'tpl_ctx'), undefined),
    lookup: (apiVersion, kind, namespace, name) =>
      world.lookup(text(apiVersion, 'lookup'), text(kind, 'lookup'), text(namespace, 'lookup'), text(name, 'lookup')),
    fromjson: dataFilters['fromjson']!,
    fromyaml: dataFilters['fromyaml']!,
  }
}

function dict(args: readonly unknown[]): unknown {
  if (args.length % 2 !== 0) throw new TemplateFailure('dict wants keys and values in pairs')
  const result = new Map<string, unknown>()
  for (let at = 0; at < args.length; at += 2) {
    const key = args[at]
    if (typeof key !== 'string') throw new TemplateFailure('the keys of dict are texts')
    result.set(key, args[at + 1])
  }
  return plain(result)
}

function dig(value: unknown, args: readonly unknown[]): unknown {
  if (args.length === 0) throw new TemplateFailure('dig wants a key at least, and a default')
  let found = value
  for (const key of args.slice(0, -1)) {
    found = member(found, key)
    if (found === undefined || found === null) return plain(args.at(-1))
  }
  return plain(found)
}

function member(value: unknown, key: unknown): unknown {
  if (value instanceof Map) return value.get(key)
  return Array.isArray(value) && typeof key === 'number' ? (value as unknown[]).at(key) : undefined
}

function toInt(value: unknown): number {
  if (typeof value === 'string') {
    if (/^[+-]?\d+$/.test(value)) return Number(value)
    throw new TemplateFailure(`cannot convert '${value}' to int`)
  }
  const found = number(value, 'toint')
  if (!Number.isInteger(found)) throw new TemplateFailure(`cannot convert ${found} to int`)
  return found
}

function printf(format: string, args: readonly unknown[]): string {
  let at = 0
  return format.replaceAll(/%(.?)/gs, (_, verb: string) => {
    if (verb === '%' || verb === '') return '%'
    if (at >= args.length) throw new TemplateFailure('not enough arguments for format string')
    at += 1
    return display(args[at - 1])
  })
}

function isTrue(value: unknown): boolean {
  if (value instanceof Map) return value.size > 0
  if (Array.isArray(value)) return value.length > 0
  return Boolean(value)
}

/** How deep `tpl` may call itself. */
export const maxTplDepth = 10
