import { isLadingError, LadingError } from '../../core/index.ts'
import { type GoMap, TemplateSet } from '../../render/gotemplate/index.ts'
import type { Component } from './component.ts'

/**
 * A component with its inputs filled in: the namespace and, where the component declares inputs, the inline manifest. Without declared inputs
 * a manifest stays as it is, so that what only looks like a template survives.
 */
export function resolveInputs(component: Component, given: Readonly<Record<string, string>>): Component {
  const inputs = inputsOf(component, given)
  const namespace = fill(component, 'namespace', component.namespace, inputs)
  if (!/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) {
    const problem = `the namespace of component ${component.name} comes to ${JSON.stringify(namespace)}, which is none`
    throw new LadingError('config.invalid', problem, { component: component.name, field: 'namespace' })
  }
  const { source } = component
  if (source.type !== 'inline' || Object.keys(component.inputs).length === 0) return { ...component, namespace }
  const manifest = fill(component, 'manifest', source.manifest, inputs)
  return { ...component, namespace, source: { type: 'inline', manifest } }
}

function inputsOf(component: Component, given: Readonly<Record<string, string>>): Record<string, string> {
  const { name: owner, inputs } = component
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(inputs, name))
  if (unknown !== undefined) {
    throw new LadingError('config.invalid', `component ${owner} declares no input ${unknown}`, {
      component: owner,
      input: unknown,
    })
  }
  const values = new Map<string, string>()
  for (const [name, input] of Object.entries(inputs)) {
    const value = Object.hasOwn(given, name) ? given[name] : input.default
    if (value === undefined) {
      const problem = `component ${owner} needs the input ${name}: give it with --input ${name}=VALUE`
      throw new LadingError('config.invalid', problem, { component: owner, input: name })
    }
    values.set(name, value)
  }
  return Object.fromEntries(values)
}

function fill(component: Component, field: string, text: string, inputs: Readonly<Record<string, string>>): string {
  if (!text.includes('{{')) return text
  const set = new TemplateSet({ functions: {}, missingKey: 'error' })
  const data: GoMap = Object.assign(Object.create(null) as GoMap, {
    inputs: Object.assign(Object.create(null) as GoMap, inputs),
  })
  try {
    set.parse(field, text)
    return set.execute(field, data)
  } catch (error) {
    if (!isLadingError(error)) throw error
    const problem = `${field} of component ${component.name}: ${error.message}`
    throw new LadingError('config.invalid', problem, { component: component.name, field }, { cause: error })
  }
}
