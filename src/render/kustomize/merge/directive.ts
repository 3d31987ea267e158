import { LadingError, stringifyJson } from '../../../core/index.ts'
import { isMap, textOf, type Value } from '../yaml/value.ts'

/** What `$patch` asks for. */
type Directive = 'merge' | 'replace' | 'delete'

const key = '$patch'

/** Reads the directive of a map or list of a patch and takes it out. */
export function takeDirective(patch: Value | undefined): Directive {
  if (patch === undefined) return 'merge'
  if (Array.isArray(patch)) return takeFromList(patch)
  if (!isMap(patch)) {
    throw new LadingError(
      'patch.invalid',
      `there is no way to merge ${stringifyJson(textOf(patch))} into a list or a map`,
    )
  }
  if (!Object.hasOwn(patch, key)) return 'merge'
  const directive = asDirective(patch[key]!)
  delete patch[key]
  return directive
}

// A list has a directive of its own where an item holds nothing else.
function takeFromList(patch: Value[]): Directive {
  const item = patch.find((each) => isMap(each) && Object.hasOwn(each, key))
  if (!isMap(item) || Object.keys(item).length > 1) return 'merge'
  const text = textOf(item[key])
  const directive = asDirective(item[key]!)
  const rest = patch.filter((each) => !(isMap(each) && textOf(each[key]) === text))
  patch.splice(0, patch.length, ...rest)
  return directive
}

function asDirective(value: Value): Directive {
  const text = textOf(value)
  if (text === 'merge' || text === 'replace' || text === 'delete') return text
  throw new LadingError('patch.invalid', `unknown patch strategy '${text}'`)
}
