import { isRecord } from '../../../core/index.ts'
import type { Frame } from './frame.ts'
import { typeOf } from './json-value.ts'
import type { Schema } from './schema-document.ts'
import { grouped, quoted } from './schema-problem.ts'

/** Keywords of objects but for unevaluatedProperties, which come last of all. */
export function evaluateObject(frame: Frame): void {
  const { value } = frame
  if (typeOf(value) !== 'object' || !isRecord(value)) return
  countProperties(frame, Object.keys(value).length)
  requireProperties(frame, value)
  dependOnProperties(frame, value)
  evaluateProperties(frame, value)
  nameProperties(frame, value)
}

function countProperties(frame: Frame, count: number): void {
  const { minProperties, maxProperties } = frame.schema
  if (typeof minProperties === 'number' && count < minProperties) {
    add(frame, `minProperties: got ${grouped(count)}, want ${grouped(minProperties)}`)
  }
  if (typeof maxProperties === 'number' && count > maxProperties) {
    add(frame, `maxProperties: got ${grouped(count)}, want ${grouped(maxProperties)}`)
  }
}

function requireProperties(frame: Frame, value: Record<string, unknown>): void {
  const missing = missingOf(frame.schema['required'], value)
  if (missing.length === 1) add(frame, `missing property ${quoted(missing[0]!)}`)
  if (missing.length > 1) add(frame, `missing properties ${missing.map(quoted).join(', ')}`)
}

function dependOnProperties(frame: Frame, value: Record<string, unknown>): void {
  for (const keyword of ['dependencies', 'dependentSchemas', 'dependentRequired']) {
    const rules = frame.schema[keyword]
    if (!isRecord(rules)) continue
    for (const [name, rule] of Object.entries(rules)) {
      if (!Object.hasOwn(value, name)) continue
      if (!Array.isArray(rule)) {
        merge(frame, rule as Schema)
        continue
      }
      const missing = missingOf(rule, value)
      if (missing.length > 0) {
        add(frame, `properties ${missing.map(quoted).join(', ')} required, if ${quoted(name)} exists`)
      }
    }
  }
}

function merge({ value, path, outcome, evaluation }: Frame, schema: Schema): void {
  const { problems, seen } = evaluation.run(schema, value, path)
  outcome.problems.push(...problems)
  for (const each of seen) outcome.seen.add(each)
}

function evaluateProperties(frame: Frame, value: Record<string, unknown>): void {
  const { schema, path, outcome, evaluation } = frame
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const patterns = isRecord(schema['patternProperties']) ? Object.entries(schema['patternProperties']) : []
  const additional = schema['additionalProperties'] as Schema | undefined
  const extra: string[] = []
  for (const name of Object.keys(value).sort()) {
    const rules = patterns
      .filter(([pattern]) => evaluation.patterns.matches(pattern, name))
      .map(([, rule]) => rule as Schema)
    if (Object.hasOwn(properties, name)) rules.unshift(properties[name] as Schema)
    if (rules.length === 0 && additional === false) extra.push(name)
    else if (rules.length === 0 && additional !== undefined) rules.push(additional)
    if (rules.length > 0) outcome.seen.add(name)
    for (const rule of rules) {
      const problem = evaluation.child(rule, value[name], [...path, name])
      if (problem !== undefined) outcome.problems.push(problem)
    }
  }
  if (extra.length > 0) add(frame, `additional properties ${extra.map(quoted).join(', ')} not allowed`)
}

function nameProperties(frame: Frame, value: Record<string, unknown>): void {
  const rule = frame.schema['propertyNames'] as Schema | undefined
  if (rule === undefined || frame.evaluation.document.draft === 4) return
  for (const name of Object.keys(value).sort()) {
    // A name has no place of its own: Helm gives it the root's.
    const problem = frame.evaluation.child(rule, name, [])
    if (problem === undefined) continue
    const causes = problem.group === true ? problem.causes : [problem]
    frame.outcome.problems.push({ path: [], message: `invalid propertyName ${quoted(name)}`, causes })
  }
}

function missingOf(names: unknown, value: Record<string, unknown>): string[] {
  if (!Array.isArray(names)) return []
  return (names as unknown[]).map(String).filter((name) => !Object.hasOwn(value, name))
}

function add({ path, outcome }: Frame, message: string): void {
  outcome.problems.push({ path, message, causes: [] })
}
