import { readFileSync } from 'node:fs'
import { isLadingError } from '../../../../core/index.ts'
import { parseYamlValue } from '../../../../core/yaml/index.ts'
import { TemplateSet } from '../../../gotemplate/index.ts'
import { toBytes } from '../../../gotemplate/format/bytes.ts'
import { goType, type GoValue } from '../../../gotemplate/value.ts'
import { type FunctionEnvironment, functionEnvironment } from '../environment.ts'
import { helmFunctions, warningIn } from '../helm-functions.ts'
import { newMap } from '../dicts/make-value.ts'
import type { Outcome } from './function-cases.ts'
import { lastReason } from './helm-oracle.ts'

/** Runs expressions by our functions over one set of values; an output's bytes as the oracle gives them. */
export function expressionRunner(
  values: GoValue,
  given: Partial<FunctionEnvironment> = {},
): (expression: string) => Outcome {
  const unused = () => {
    throw new Error('no templates here')
  }
  const functions = helmFunctions(functionEnvironment(given), { include: unused, tpl: unused })
  const scope = newMap()
  scope['Values'] = values
  return (expression) => {
    const set = new TemplateSet({ functions, missingKey: 'zero' })
    try {
      set.parse('case', `{{ ${expression} }}`)
      return { output: Buffer.from(toBytes(set.execute('case', scope))).toString('latin1') }
    } catch (error) {
      if (isLadingError(error)) return { error: warningIn(error.message) ?? lastReason(error.message) }
      throw error
    }
  }
}

/** The values of a file as Helm reads them: every number is a float. */
export function readValues(file: string): GoValue {
  const values = toFloats(parseYamlValue(readFileSync(file, 'utf8'), { lenient: true }))
  return Object.defineProperty(values as object, goType, { value: 'common.Values' }) as GoValue
}

function toFloats(value: unknown): GoValue {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(toFloats)
  if (typeof value !== 'object' || value === null) return value as GoValue
  const map = newMap()
  for (const [key, item] of Object.entries(value)) map[key] = toFloats(item)
  return map
}
