import { isDnsLabel, LadingError, stringifyJson } from '../../core/index.ts'
import type { Component } from './component.ts'
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
  if (source.type !== 'inline' || Object.keys(component.inputs).length === 0) return { ...component, namespace }
  if (!isInline(source.manifest)) return { ...component, namespace, source: { ...source, inputs } }
  const manifest = fillManifest(source.manifest, { inputs, component: name, file, field: 'manifest' })
  return { ...component, namespace, source: { type: 'inline', manifest } }
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
