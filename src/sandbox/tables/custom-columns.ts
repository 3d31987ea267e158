import { type KubeObject, stringifyJson } from '../../core/index.ts'
import { ageColumn, type Column, itemsAt, nameColumn, numberAt, textAt } from './column.ts'
import { ageSince } from './human-duration.ts'
import { jsonPath } from './json-path.ts'

/** The `additionalPrinterColumns` of a version of a custom resource; its age when there are none. */
export function customColumns(crd: KubeObject, version: string): readonly Column[] {
  const declared = itemsAt(
    itemsAt(crd, 'spec', 'versions').find(({ name }) => name === version),
    'additionalPrinterColumns',
  )
  if (declared.length === 0) return [nameColumn, { ...ageColumn, type: 'date' }]
  return [nameColumn, ...declared.map(customColumn)]
}

function customColumn(declared: Record<string, unknown>): Column {
  const type = textAt(declared, ['type'], 'string') as Column['type']
  const find = jsonPath(textAt(declared, ['jsonPath']))
  const format = textAt(declared, ['format'])
  return {
    name: textAt(declared, ['name']),
    type,
    ...(format === '' ? {} : { format }),
    description: textAt(declared, ['description']),
    priority: numberAt(declared, ['priority']),
    cell: (object, now) => {
      const found = find?.(object) ?? []
      return found.length === 0 ? null : shown(type, found[0], now)
    },
  }
}

/** A value as the column's type shows it, the first of many; one that is not of the type shows as nothing. */
function shown(type: Column['type'], value: unknown, now: number): unknown {
  switch (type) {
    case 'string':
      return textOf(value)
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null
    case 'number':
      return typeof value === 'number' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return typeof value === 'string' ? ageOf(value, now) : null
  }
}

function ageOf(value: string, now: number): string {
  return Number.isNaN(Date.parse(value)) ? '<invalid>' : ageSince(value, now)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : stringifyJson(value)
}
