import { isRecord, type KubeObject } from '../../core/index.ts'
import type { ResourceType } from '../resource-type.ts'
import type { Column } from './column.ts'
import { columnsOf } from './columns-of.ts'

/** How much of each object a table carries beside its cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

/** Shows answers about one resource as tables; in a watch only the first one carries the columns. */
export class TableMaker {
  readonly #columns: readonly Column[]
  readonly #include: IncludeObject
  readonly #apiVersion: string

  constructor(type: ResourceType, include: IncludeObject, apiVersion: string) {
    this.#columns = columnsOf(type)
    this.#include = include
    this.#apiVersion = apiVersion
  }

  /** The table of a list. */
  list(items: readonly KubeObject[], metadata: unknown, now: number): Record<string, unknown> {
    return this.#table(
      metadata,
      true,
      items.map((item) => this.#row(item, now)),
    )
  }

  /** The table of one object. */
  object(object: KubeObject, now: number, withColumns = true): Record<string, unknown> {
    const { resourceVersion } = object.metadata
    return this.#table({ resourceVersion }, withColumns, [this.#row(object, now)])
  }

  #table(metadata: unknown, withColumns: boolean, rows: unknown[]): Record<string, unknown> {
    const columnDefinitions = withColumns ? this.#columns.map(definition) : null
    return { kind: 'Table', apiVersion: this.#apiVersion, metadata, columnDefinitions, rows }
  }

  #row(object: KubeObject, now: number): Record<string, unknown> {
    const conditions = rowConditions(object)
    return {
      cells: this.#columns.map((column) => column.cell(object, now) ?? null),
      ...(conditions === undefined ? {} : { conditions }),
      object: this.#shown(object),
    }
  }

  #shown(object: KubeObject): unknown {
    switch (this.#include) {
      case 'None':
        return null
      case 'Object':
        return object
      case 'Metadata':
        return { kind: 'PartialObjectMetadata', apiVersion: this.#apiVersion, metadata: object.metadata }
    }
  }
}

function definition({ name, type, format = '', description = '', priority = 0 }: Column): Record<string, unknown> {
  return { name, type, format, description, priority }
}

// Finished pods are marked, so that clients may leave them out.
function rowConditions(object: KubeObject): unknown[] | undefined {
  if (object.kind !== 'Pod' || object.apiVersion !== 'v1' || !isRecord(object['status'])) return undefined
  const { phase } = object['status']
  if (phase !== 'Succeeded' && phase !== 'Failed') return undefined
  const message = phase === 'Succeeded' ? 'The pod has completed successfully.' : 'The pod failed.'
  return [{ type: 'Completed', status: 'True', reason: phase, message }]
}
