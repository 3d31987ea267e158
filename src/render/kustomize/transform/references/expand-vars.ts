import { isScalar, textOf, type Value } from '../../yaml/value.ts'

/**
 * Expands `$(NAME)` in a text as Kubernetes expands it in a container's arguments: `$$` is a dollar, names that are not known
 * stay as they are. A text that is nothing but one reference takes the value's type.
 */
export function expand(input: string, values: ReadonlyMap<string, Value>): Value {
  let output = ''
  let from = 0
  for (let at = 0; at < input.length; at++) {
    if (input[at] !== '$' || at + 1 >= input.length) continue
    output += input.slice(from, at)
    const next = input[at + 1]!
    const close = next === '(' ? input.indexOf(')', at + 2) : -1
    if (close >= 0) {
      const name = input.slice(at + 2, close)
      const value = values.get(name)
      const isKnown = value !== undefined && value !== null && isScalar(value)
      if (isKnown && input === `$(${name})`) return value
      output += isKnown ? textOf(value) : `$(${name})`
      at = close
    } else {
      output += next === '$' ? '$' : `$${next}`
      at++
    }
    from = at + 1
  }
  return output + input.slice(from)
}
