import { isRecord } from '../../core/index.ts'

/** One step of a path: takes a value to the values below it. */
type Step = (value: unknown) => unknown[]

/** Finds what a printer column's path points to; undefined when the path is beyond the subset that columns use. */
export function jsonPath(path: string): ((root: unknown) => unknown[]) | undefined {
  const steps: Step[] = []
  let rest = path.startsWith('{') && path.endsWith('}') ? path.slice(1, -1) : path
  while (rest !== '') {
    const found = token(rest)
    if (found === undefined) return undefined
    steps.push(found.step)
    rest = rest.slice(found.length)
  }
  return (root) => {
    let values = [root]
    for (const step of steps) values = values.flatMap(step)
    return values
  }
}

const field = /^\.((?:[^.[\]\\]|\\.)+)/
const quoted = /^\[(?:'([^']*)'|"([^"]*)")\]/
const index = /^\[(-?\d+)\]/
const all = /^(?:\[\*\]|\.\*)/
const filter = /^\[\?\(\s*@((?:\.[\w-]+)+)\s*(?:(==|!=|<=|>=|<|>)\s*(?:'([^']*)'|"([^"]*)"|([\w.-]+))\s*)?\)\]/

function token(text: string): { step: Step; length: number } | undefined {
  const wildcard = all.exec(text)
  if (wildcard !== null) return { step: children, length: wildcard[0].length }
  const named = field.exec(text) ?? quoted.exec(text)
  if (named !== null) {
    const name = (named[1] ?? named[2] ?? '').replaceAll(/\\(.)/g, '$1')
    return { step: (value) => (isRecord(value) && name in value ? [value[name]] : []), length: named[0].length }
  }
  const numbered = index.exec(text)
  if (numbered !== null) {
    const at = Number(numbered[1])
    return {
      step: (value) => (Array.isArray(value) ? value.slice(at, at === -1 ? undefined : at + 1) : []),
      length: numbered[0].length,
    }
  }
  const filtered = filter.exec(text)
  if (filtered === null) return undefined
  return { step: filterStep(filtered), length: filtered[0].length }
}

function filterStep([, path = '', operator, single, double, bare]: RegExpExecArray): Step {
  const find = jsonPath(path)
  const wanted = single ?? double ?? bare
  return (value) =>
    children(value).filter((item) => {
      const found = find?.(item)[0]
      return operator === undefined ? found !== undefined : compares(String(found), operator, wanted ?? '')
    })
}

function compares(found: string, operator: string, wanted: string): boolean {
  switch (operator) {
    case '==':
      return found === wanted
    case '!=':
      return found !== wanted
    case '<':
      return Number(found) < Number(wanted)
    case '<=':
      return Number(found) <= Number(wanted)
    case '>':
      return Number(found) > Number(wanted)
    default:
      return Number(found) >= Number(wanted)
  }
}

function children(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return isRecord(value) ? Object.values(value) : []
}
