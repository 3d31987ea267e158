import { join } from 'node:path'
import { stat } from 'node:fs/promises'
import { type Context, type KubeObject, LadingError } from '../../core/index.ts'
import { fromProgram } from '../../release/index.ts'
import { inside } from '../config/read-manifest.ts'
import type { BuildPlan } from './build-plan.ts'

/** A program that is ready to be rendered. */
export interface PreparedProgram {
  readonly path: string
  /** What was fetched sees only its own checkout. */
  readonly root?: string
}

type ManifestPlan = BuildPlan['kubernetes_manifest_build_plan']

/** The program of a component, which may not lead out of its folder or checkout. */
export async function prepareProgram(
  { program }: ManifestPlan,
  root: string,
  checkout: string | undefined,
): Promise<PreparedProgram> {
  const given = program?.path ?? ''
  const path = await inside(checkout ?? root, join(root, given), given, 'program.path')
  const exists = await stat(path).catch(() => undefined)
  if (exists === undefined) throw new LadingError('file.not-found', `${path} does not exist`, { file: path })
  return { path, ...(checkout === undefined ? {} : { root: checkout }) }
}

/** Renders the program of a component for an artifact: it comes out the same whenever and wherever it is built. */
export async function buildProgram(
  { path, root }: PreparedProgram,
  { component_id: name, kubernetes_manifest_build_plan: { program } }: BuildPlan,
  created: Date | undefined,
  ctx: Context,
): Promise<readonly KubeObject[]> {
  const { values = {}, namespace = 'default' } = program ?? {}
  const access = root === undefined ? {} : { root }
  const source = fromProgram(path, { values, reproducibleAt: created ?? new Date(0), ...access })
  const release = { name, namespace, revision: 1, isInstall: true, isUpgrade: false }
  return (await source.render({ release }, ctx)).objects
}
