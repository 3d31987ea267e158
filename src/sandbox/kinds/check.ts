import { isRecord } from '../../core/index.ts'
import type { SchemaNode } from '../../schema/index.ts'
import type { Cause } from '../status-error.ts'
import { notSupported, required } from './causes.ts'
import type { Check } from './family.ts'
import type { Part } from './read.ts'

/** Makes what checks values of a type: fields that must be there, values there are a few of, and what its checks say. */
export function checkerOf(node: SchemaNode | undefined, checks: ReadonlyMap<string, Check>): Check {
  const step = node === undefined ? undefined : stepOf(node, checks, new Map())
  return step ?? (() => {})
}

/** Fields that the API server looks at in another way than their schema says, or not at all. */
const unchecked = new Set(
  [
    // Claims have checks of their own.
    'apps.v1.StatefulSetSpec volumeClaimTemplates',
    'apps.v1.StatefulSetSpec podManagementPolicy',
    'apps.v1.StatefulSetUpdateStrategy type',
    'apps.v1.DaemonSetUpdateStrategy type',
    'apps.v1.DeploymentStrategy type',
    'core.v1.LimitRangeItem type',
    'core.v1.VolumeMount name',
    'networking.v1.IngressServiceBackend name',
  ].map((name) => `io.k8s.api.${name}`),
)

type Step = (value: Part, path: string, causes: Cause[]) => void

function stepOf(
  node: SchemaNode,
  checks: ReadonlyMap<string, Check>,
  made: Map<SchemaNode, Step | undefined>,
): Step | undefined {
  if (node.shape !== 'struct' || isUnchecked(node)) return undefined
  if (made.has(node)) return made.get(node)
  made.set(node, undefined)
  const own = checks.get(node.typeName ?? '')
  const fields = fieldChecks(node)
  const below: [string, Step][] = []
  for (const name of node.fieldNames) {
    // What only controllers write is taken as it is.
    if (name === 'status' && node.field('metadata') !== undefined) continue
    if (unchecked.has(`${node.typeName} ${name}`)) continue
    const field = node.field(name)
    const inner = field === undefined ? undefined : fieldStep(field, checks, made)
    if (inner !== undefined) below.push([name, inner])
  }
  if (own === undefined && fields.length === 0 && below.length === 0) return undefined
  const step: Step = (value, path, causes) => {
    for (const check of fields) check(value, path, causes)
    own?.(value, path, causes)
    for (const [name, inner] of below) {
      const field = value[name]
      if (field !== undefined && field !== null) inner(field as Part, `${path}${name}.`, causes)
    }
  }
  made.set(node, step)
  return step
}

function fieldStep(
  node: SchemaNode,
  checks: ReadonlyMap<string, Check>,
  made: Map<SchemaNode, Step | undefined>,
): Step | undefined {
  if (node.shape === 'struct') return stepOf(node, checks, made)
  const items = node.shape === 'list' ? node.items() : undefined
  const inner = items === undefined ? undefined : fieldStep(items, checks, made)
  if (inner === undefined) return undefined
  return (list, path, causes) => {
    if (!Array.isArray(list)) return
    const name = path.slice(0, -1)
    for (let index = 0; index < list.length; index += 1) {
      const item: unknown = list[index]
      if (isRecord(item)) inner(item, `${name}[${index}].`, causes)
    }
  }
}

/** Metadata has rules of its own, and so do CRDs. */
function isUnchecked(node: SchemaNode): boolean {
  const name = node.typeName ?? ''
  return name.endsWith('.meta.v1.ObjectMeta') || name.startsWith('io.k8s.apiextensions-apiserver.')
}

function fieldChecks(node: SchemaNode): Check[] {
  return node.fieldNames.flatMap((name) => {
    const field = node.field(name)
    const needed = node.required.includes(name) && field?.scalar === 'string' && field.format === undefined
    if (unchecked.has(`${node.typeName} ${name}`)) return []
    if (field === undefined || (field.enum === undefined && !needed)) return []
    return [fieldCheck(name, field.enum, needed)]
  })
}

function fieldCheck(name: string, values: readonly unknown[] | undefined, needed: boolean): Check {
  return (part, path, causes) => {
    const value = part[name]
    if (value === undefined || value === '' || value === null) {
      if (needed) causes.push(required(path + name))
    } else if (values !== undefined && !values.includes(value)) causes.push(notSupported(path + name, value, values))
  }
}
