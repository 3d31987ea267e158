import { isLadingError, LadingError } from '../../../core/index.ts'
import { quote, type TemplateSet } from '../../gotemplate/index.ts'
import { GoError, type GoFunction, type GoValue } from '../../gotemplate/value.ts'
import type { FunctionEnvironment } from '../functions/environment.ts'
import { boundFunctions } from '../functions/helm-functions.ts'

const maxInclusions = 1000

/** The functions that need to know the set of templates, `include` and `tpl` among them. */
export function chartFunctions(
  environment: FunctionEnvironment,
  set: () => TemplateSet,
): Readonly<Record<string, GoFunction>> {
  const inclusions = new Map<string, number>()
  return boundFunctions(environment, {
    include: (name, data) => include(set(), inclusions, name, data),
    tpl: (text, data) => tpl(set(), inclusions, environment, text, data),
  })
}

// Helm counts by name, in the whole rendering, how often a template is inside of itself.
function include(set: TemplateSet, inclusions: Map<string, number>, name: string, data: GoValue): string {
  const count = inclusions.get(name) ?? 0
  if (count > maxInclusions) {
    throw new GoError(`rendering template has a nested reference name: ${name}: unable to execute template`)
  }
  inclusions.set(name, count + 1)
  try {
    return set.execute(name, data)
  } finally {
    inclusions.set(name, count)
  }
}

// Templates that the text defines are known to what it includes, and to nothing else.
function tpl(
  parent: TemplateSet,
  inclusions: Map<string, number>,
  environment: FunctionEnvironment,
  text: string,
  data: GoValue,
): string {
  let set = parent
  const functions = boundFunctions(environment, {
    include: (name, inner) => include(set, inclusions, name, inner),
    tpl: (inner, values) => tpl(set, inclusions, environment, inner, values),
  })
  set = parent.clone({ include: functions['include']!, tpl: functions['tpl']! })
  wrapping('cannot parse template', text, 'template.syntax', () => set.parse('gotpl', text, true))
  return wrapping('error during tpl function execution for', text, 'template.failed', () =>
    set.execute('gotpl', data).replaceAll('<no value>', ''),
  )
}

function wrapping<T>(problem: string, text: string, code: 'template.syntax' | 'template.failed', run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!isLadingError(error, code)) throw error
    throw new LadingError('template.failed', `${problem} ${quote(text)}: ${error.message}`, error.details, {
      cause: error,
    })
  }
}
