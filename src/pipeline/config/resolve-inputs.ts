import { isDnsLabel, isRecord, LadingError, stringifyJson } from '../../core/index.ts'
import type { Component, ComponentSource } from './component.ts'
import { fillManifest, fillText } from './fill-template.ts'
import { inputType, type InputValue, readInput } from './input-value.ts'
import { isInline } from './read-manifest.ts'

/**
 * A component with its inputs filled in: the namespace and, where the component declares inputs, the inline manifest. A manifest file is
 * filled in when it is read, by the build. Without declared inputs a manifest stays as it is, so that what only looks like a template survives.
 */
export function resolveInputs(component: Component, given: Readonly<Record<string, InputValue>>): Component {
  const inputs = inputsOf(component, given)
  const { name, file, source } = component
  const namespace = fillText(component.namespace, { inputs, component: name, file, field: 'namespace' })
  if (!isDnsLabel(namespace)) {
    const problem = `the namespace of component ${name} comes to ${stringifyJson(namespace)}, which is none`
    throw new LadingError('config.invalid', problem, { component: name, field: 'namespace' })
  }
  if (Object.keys(component.inputs).length === 0) return { ...component, namespace }
  if (source.type === 'program') return { ...component, namespace, source: withValues(source, component, inputs) }
  if (source.type !== 'inline') return { ...component, namespace }
  if (!isInline(source.manifest)) return { ...component, namespace, source: { ...source, inputs } }
  const manifest = fillManifest(source.manifest, { inputs, component: name, file, field: 'manifest' })
  return { ...component, namespace, source: { type: 'inline', manifest } }
}

type ProgramSource = Extract<ComponentSource, { readonly type: 'program' }>

/** Values are filled in as a manifest is: a reference that is a whole value keeps the type of its input. */
function withValues(
  source: ProgramSource,
  { name, file }: Component,
  inputs: Readonly<Record<string, InputValue>>,
): ProgramSource {
  const filling = { inputs, component: name, file, field: 'program.values' }
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill)
    if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item)]))
    if (typeof value !== 'string') return value
    const [, whole = ''] = /^\{\{\s*\.inputs\.(\w+)\s*\}\}$/.exec(value) ?? []
    return Object.hasOwn(inputs, whole) ? inputs[whole] : fillText(value, filling)
  }
  return { ...source, values: fill(source.values) as ProgramSource['values'] }
}

function inputsOf(component: Component, given: Readonly<Record<string, InputValue>>): Record<string, InputValue> {
  const { name: owner, inputs } = component
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(inputs, name))
  if (unknown !== undefined) {
    throw new LadingError('config.invalid', `component ${owner} declares no input ${unknown}`, {
      component: owner,
      input: unknown,
    })
  }
  const values = new Map<string, InputValue>()
  for (const [name, input] of Object.entries(inputs)) {
    const value = Object.hasOwn(given, name) ? given[name] : input.default
    if (value === undefined) {
      const problem = `component ${owner} needs the input ${name}: give it with --input ${name}=VALUE`
      throw new LadingError('config.invalid', problem, { component: owner, input: name })
    }
    values.set(name, readInput(name, inputType(input), value))
  }
  return Object.fromEntries(values)
}
