import type { DriftOutputs } from '../../../pipeline/index.ts'
import { correctionPlan, type ForeignFlags } from '../../options/foreign-options.ts'
import type { Io } from '../../io.ts'
import { withPipeline } from '../../pipeline-session.ts'
import { printDocument } from '../../print/print-data.ts'
import { formatTable } from '../../print/print-table.ts'
import { type ComponentFlags, readWithInputs } from './build-component.ts'

/** Flags of looking for drift of a component. */
export interface DriftComponentFlags extends ComponentFlags, ForeignFlags {
  readonly artifact?: string
  readonly correct?: boolean
  readonly timeout?: number
}

/** Looks for drift of a component as a job, prints it, and says whether there is any. */
export async function driftFromFile(io: Io, file: string, options: DriftComponentFlags): Promise<boolean> {
  const component = await readWithInputs(io, file, options)
  const { driftOfComponent } = await import('../../../pipeline/index.ts')
  const request = { ...correctionPlan(options), artifact: options.artifact, timeoutMs: options.timeout }
  return withPipeline(io, options, async ({ pipeline, ctx, follow }) => {
    const looking = driftOfComponent(pipeline, component, request, ctx)
    const found = await follow(looking, `drift ${component.namespace}/${component.name}`)
    await printDocument(io, options.output, found, () => driftText(found))
    return found.left ?? found.result === 'drift-detected'
  })
}

function driftText({ result, artifact, objects, corrected, revision }: DriftOutputs): string {
  const paths = (fields: DriftOutputs['objects'][number]['added']): string => fields.map(({ path }) => path).join(', ')
  const rows = objects.map(({ id, state, changes, added }) => ({
    object: id,
    state,
    fields: paths(changes),
    added: paths(added),
  }))
  const table = rows.length === 0 ? '' : formatTable({ rows, columns: ['object', 'state', 'fields', 'added'] })
  const moved = artifact.changed
    ? `the artifact is ${artifact.current ?? 'gone'}, deployed is ${artifact.deployed ?? 'none'}\n`
    : ''
  const undone = corrected === true ? `, corrected by revision ${revision ?? 'none'}` : ''
  return `${table}${moved}${result}${undone}\n`
}
