import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, defined, formatRef, type KubeObject, LadingError, objectId, refOf } from '../../core/index.ts'
import { type ProgramAccess, programIn, programName, renderProgram } from '../../render/program/run/index.ts'
import { renderWorld } from '../../render/world/index.ts'
import { composeValues, type GivenValues } from '../values/compose-values.ts'
import type { Rendered, RenderInput, Source, SourceOptions } from './source.ts'

/** What a program may do beside computing, and for how long it may compute. */
export interface ProgramOptions extends ProgramAccess {
  /** How long it may take (default: 60000). */
  readonly timeoutMs?: number
}

/** How a program is rendered. */
export interface FromProgramOptions extends ProgramOptions {
  /** Values below those that the release is given. */
  readonly values?: Readonly<Record<string, unknown>>
  /** The time that the program sees, for output that is the same at any time and everywhere; random values of `node:crypto` are refused then. */
  readonly reproducibleAt?: Date
  /** In place of the cluster's own version. */
  readonly kubeVersion?: string
  /** Beside what the cluster serves. */
  readonly apiVersions?: readonly string[]
}

/** A program as a source: a module of TypeScript or JavaScript, or a folder with `source.ts`, whose default export gives the objects. */
export function fromProgram(path: string, options: FromProgramOptions = {}): Source {
  return { render: (input, ctx) => renderSource(path, options, input, ctx) }
}

/** A program as a source, with the options that every source has. */
export function programSource(path: string, { program, chart = {}, reproducibleAt }: SourceOptions): Source {
  const { kubeVersion, apiVersions } = chart
  return fromProgram(path, { ...program, ...defined({ kubeVersion, apiVersions, reproducibleAt }) })
}

async function renderSource(
  path: string,
  { values: base, reproducibleAt, kubeVersion, apiVersions = [], timeoutMs, ...access }: FromProgramOptions,
  { release, cluster, values, world = renderWorld() }: RenderInput,
  ctx: Context,
): Promise<Rendered> {
  const file = fileOf(path)
  const given = withBase(values ?? {}, base)
  const composed = composeValues(given)
  const known = (await cluster?.capabilities(ctx)) ?? { kubeVersion: 'v1.35.0', apiVersions: [] }
  const run = {
    values: composed.values,
    release,
    capabilities: {
      kubeVersion: kubeVersion ?? known.kubeVersion,
      apiVersions: [...known.apiVersions, ...apiVersions],
    },
    // A seed that everybody knows: what has to be secret cannot be drawn from it.
    seed: reproducibleAt === undefined ? world.seed : { seed: 'known', renderedAt: reproducibleAt.toISOString() },
    reproducible: reproducibleAt !== undefined,
    access,
    givenBy: (field: string) => composed.provenance.origins?.[field],
    ...defined({ timeoutMs }),
  }
  const rendered = await renderProgram(file, run, ctx)
  if (reproducibleAt === undefined) world.noteUsed(rendered.used)
  const { objects, digest, notes } = rendered
  if (objects.length === 0) throw new LadingError('source.empty', `${path} renders to no objects`, { source: path })
  refuseDuplicates(objects, file)
  return {
    objects,
    info: { type: 'program', name: programName(file), origin: path, digest },
    // What the schema filled in counts as its default.
    values: composeValues({ ...given, schemaDefaults: rendered.values }),
    ...defined({ notes }),
  }
}

function withBase(given: GivenValues, base: FromProgramOptions['values']): GivenValues {
  if (base === undefined) return given
  return { ...given, files: [{ name: 'the options of the program', values: base }, ...(given.files ?? [])] }
}

function fileOf(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return path
  const found = programIn(readdirSync(path))
  if (found !== undefined) return join(path, found)
  throw new LadingError('source.unsupported', `${path} holds no source.ts`, { source: path })
}

function refuseDuplicates(objects: readonly KubeObject[], file: string): void {
  const seen = new Set<string>()
  for (const object of objects) {
    // Objects with generateName are new ones each time.
    if (object.metadata.name === undefined) continue
    const ref = refOf(object)
    const id = objectId(ref)
    if (seen.has(id)) throw new LadingError('object.duplicate', `${file} gives ${formatRef(ref)} twice`, { id })
    seen.add(id)
  }
}
