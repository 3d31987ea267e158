import type { ReleaseRecord, ValuesProvenance } from '../record/record.ts'
import { assign } from './assign.ts'
import { coalesce, layer } from './merge-values.ts'
import type { Assignment } from './parse-set.ts'
import { previousValues } from './previous-values.ts'
import type { SetFlag } from './set-cursor.ts'
import { mapNode, type MapNode, provenanceOf, type Values, valuesOf } from './value-tree.ts'

/**
 * What becomes of the values that the user gave for the revision before: `default` takes them when nothing is given now, as Helm
 * does; `reuse` and `reset-then-reuse` lay what is given now over them; `reset` forgets them. Defaults are always the new ones.
 */
export type ValuesMode = 'default' | 'reuse' | 'reset' | 'reset-then-reuse'

/** The values of one file. */
export interface ValuesFile {
  /** Names the file in messages. */
  readonly name: string
  readonly values: Values
}

/** What the user gives for a release. */
export interface GivenValues {
  /** In their order; later ones win. */
  readonly files?: readonly ValuesFile[]
  /** Win over files; among each other by flag as in Helm (json, set, string, file, literal), then by order. */
  readonly set?: readonly Assignment[]
  readonly mode?: ValuesMode
  /** The revision before. */
  readonly previous?: Pick<ReleaseRecord, 'values' | 'userValues' | 'valuesProvenance'>
}

/** All that values are made of. */
export interface ValuesInput extends GivenValues {
  readonly schemaDefaults?: Values
  readonly defaults?: Values
  /** Whose the defaults are (default: a pack's). */
  readonly defaultsOf?: 'pack' | 'chart'
}

/** Values as a record keeps them. */
export interface ComposedValues {
  readonly values: Values
  readonly userValues: Values
  readonly provenance: ValuesProvenance
}

/** Puts a release's values together, schema defaults < defaults < the revision before < files < flags, and says who gave each. */
export function composeValues(input: ValuesInput): ComposedValues {
  const schemaDefaults = mapNode(input.schemaDefaults ?? {}, () => ({ source: 'schema-default' }))
  const defaults = mapNode(input.defaults ?? {}, () => ({ source: `${input.defaultsOf ?? 'pack'}-default` }))
  const user = withPrevious(givenValues(input), input)
  const values = coalesce(coalesce(schemaDefaults, defaults), user)
  return { values: valuesOf(values), userValues: valuesOf(user), provenance: provenanceOf(values) }
}

const flagOrder: readonly SetFlag[] = ['set-json', 'set', 'set-string', 'set-file', 'set-literal']

function givenValues({ files = [], set = [] }: GivenValues): MapNode {
  let given = mapNode({}, () => ({ source: 'command-line' }))
  for (const file of files)
    given = layer(
      given,
      mapNode(file.values, () => ({ source: 'values-file', origin: file.name })),
    )
  const inOrder = set.toSorted((a, b) => flagOrder.indexOf(a.flag) - flagOrder.indexOf(b.flag))
  for (const assignment of inOrder) given = assign(given, assignment)
  return given
}

function withPrevious(given: MapNode, { mode = 'default', previous }: GivenValues): MapNode {
  if (previous === undefined || mode === 'reset') return given
  if (mode === 'default' && given.entries.size > 0) return given
  return layer(previousValues(previous), given)
}
