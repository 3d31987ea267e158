import { isEmpty, isMap, isNull, isScalar, textOf, type Value } from '../yaml/value.ts'

/** The first item whose keys have the given texts; with the empty key, the scalar of that text. */
export function matchElement(
  list: readonly Value[],
  keys: readonly string[],
  values: readonly string[],
): Value | undefined {
  if ((keys[0] ?? '') === '') return list.find((item) => textOf(item) === (values[0] ?? ''))
  return list.find((item) => isMap(item) && keys.every((key, index) => isText(item[key], values[index] ?? '')))
}

/**
 * Puts an item in the place of those that its keys match, or behind the others; undefined removes them. Items that are empty
 * are dropped on the way, and so is every other item where no values are given: kyaml does both.
 */
export function setElement(
  list: Value[],
  item: Value | undefined,
  keys: readonly string[],
  values: readonly string[],
): void {
  const matchesMaps = (keys[0] ?? '') !== '' && (values[0] ?? '') !== ''
  const content: Value[] = []
  let found = false
  for (const each of list) {
    if (isNull(each) || (isMap(each) && isEmpty(each))) continue
    if (!isMap(each) && matchesMaps) {
      content.push(each)
      continue
    }
    if (!isMatch(each, keys, values)) {
      if (values.length > 0) content.push(each)
      continue
    }
    found = true
    if (item !== undefined) content.push(item)
  }
  if (item !== undefined && !found) content.push(item)
  list.length = 0
  for (const each of content) list.push(each)
}

function isMatch(item: Value, keys: readonly string[], values: readonly string[]): boolean {
  let matched = false
  for (const [index, key] of keys.entries()) {
    if (index < values.length) matched = hasText(item, key, values[index]!)
    if (!matched) return false
  }
  return matched
}

function isText(value: Value | undefined, text: string): boolean {
  return value !== undefined && textOf(value) === text
}

// Without a text, having the key is enough.
function hasText(item: Value, key: string, text: string): boolean {
  if (key === '') return isScalar(item) && textOf(item) === text
  if (!isMap(item) || !Object.hasOwn(item, key)) return false
  return text === '' || textOf(item[key]) === text
}
