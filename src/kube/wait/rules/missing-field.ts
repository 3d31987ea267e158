import type * as cel from '@marcbachmann/cel-js'

/** The errors of CEL for something that is not there. */
const missing = new Set(['no_such_key', 'unknown_variable', 'index_out_of_bounds', 'optional_value_missing'])

/** Parts of an object that controllers write after it was stored. */
const writtenLater = new Set(['status', 'data'])

/**
 * Whether an expression could not be evaluated because a part of `status` or `data` is not there, which may still come. Elsewhere a missing
 * field is a mistake: the author of the expression can ask for it with `has()`. The variable of a loop stands for a part of a list, which is
 * mostly one of `status`.
 */
export function mayStillCome(error: unknown, fields: Readonly<Record<string, unknown>>): boolean {
  const { code = '', node } = error as { code?: string; node?: cel.ASTNode }
  if (!missing.has(code)) return false
  const root = rootOf(node)
  if (root === undefined || writtenLater.has(root)) return true
  return code !== 'unknown_variable' && !(root in fields)
}

/** The variable that a path such as `status.conditions[0].type` starts from, or the field of `self`. */
function rootOf(node: unknown, field?: string): string | undefined {
  if (!isNode(node)) return undefined
  const { op, args } = node
  if (op === 'id') return args === 'self' ? (field ?? 'self') : String(args)
  if (!Array.isArray(args)) return undefined
  const [first, second] = args as unknown[]
  if (op === 'rcall') return rootOf(second)
  const key = isNode(second) ? second.args : second
  return rootOf(first, typeof key === 'string' ? key : undefined)
}

function isNode(value: unknown): value is { readonly op: string; readonly args: unknown } {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value
}
