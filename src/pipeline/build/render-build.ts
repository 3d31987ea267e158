import { join, parse, relative, resolve } from 'node:path'
import { type Context, defined, isLadingError, LadingError } from '../../core/index.ts'
import { writeYaml } from '../../core/yaml/index.ts'
import type { OpenRemote, RemoteOptions } from '../../release/index.ts'
import {
  type BuiltKustomization,
  buildWithRemotes,
  type FileTree,
  folderTree,
  memoryTree,
  overlayTree,
} from '../../render/kustomize/index.ts'
import { runStoppable } from '../../render/stoppable/index.ts'
import { fillJob } from '../config/fill-job.ts'
import { inside, isInline, readManifest } from '../config/read-manifest.ts'
import type { BuildPlan } from './build-plan.ts'

/** A kustomization that is ready to be built. */
export interface PreparedBuild {
  readonly tree: FileTree
  readonly path: string
  readonly loadRestrictor: 'rootOnly' | 'none'
  readonly enableHelm: boolean
  /** What may be fetched from other hosts. */
  readonly remote?: RemoteOptions
  /** What a mistake in it is said to be in, where the user does not know the kustomization. */
  readonly describes?: string
}

type ManifestPlan = BuildPlan['kubernetes_manifest_build_plan']

/** An inline manifest, or the file that it names, as an implicit kustomization: itself the only resource. */
export async function prepareInline(plan: ManifestPlan, folder: string, ctx: Context): Promise<PreparedBuild> {
  const text = plan.inline_manifest ?? ''
  const manifest = isInline(text) ? text : await readFilled(text, folder, plan, ctx)
  const describes = isInline(text) ? 'the inline manifest' : text
  const tree = memoryTree({
    'kustomization.yaml':
      'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- manifest.yaml\n',
    'manifest.yaml': manifest,
  })
  return { tree, path: '/', loadRestrictor: 'rootOnly', enableHelm: false, describes }
}

/**
 * The folder of a kustomization, and the patches that the component adds to it. What was fetched sees only its own checkout; a
 * local component may use bases that stand beside its folder.
 */
export async function prepareKustomize(
  plan: ManifestPlan,
  root: string,
  checkout: string | undefined,
): Promise<PreparedBuild> {
  const {
    patches = [],
    enable_helm: enableHelm = false,
    load_restrictor: loadRestrictor = 'rootOnly',
    allow_remote: hosts,
    allow_unpinned: allowUnpinned = false,
  } = plan.kustomize_config ?? {}
  const top = checkout ?? parse(root).root
  const within = (path: string, field: string): Promise<string> =>
    inside(checkout ?? root, resolve(root, path), path, field)
  const folder = await within(plan.kustomize_path ?? '', 'kustomize.path')
  const tree = folderTree(top)
  const inTree = (path: string): string => join('/', relative(top, path))
  const remote = hosts === undefined ? {} : { remote: { hosts, allowUnpinned } }
  if (patches.length === 0) return { tree, path: inTree(folder), loadRestrictor, enableHelm, ...remote }
  const files = await Promise.all(patches.map((patch, at) => within(patch, `kustomize.patches.${at}`)))
  const texts = files.map((file) => readFrom(tree, inTree(file)))
  // The overlay stands in no folder of the user's, so that building leaves nothing behind.
  const overlay = join(root, '.lading-overlay')
  const kustomization = writeYaml({
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [join('..', relative(root, folder))],
    patches: texts.map((patch) => ({ patch })),
  })
  const file = join(inTree(overlay), 'kustomization.yaml')
  const overlaid = overlayTree(tree, new Map([[file, Buffer.from(kustomization)]]))
  return { tree: overlaid, path: inTree(overlay), loadRestrictor, enableHelm, ...remote }
}

/** Builds what was prepared; a build that comes to nothing is an error, since deploying it would delete everything. */
export async function renderBuild(
  { tree, path, loadRestrictor, enableHelm, describes, remote }: PreparedBuild,
  name: string,
  openRemote: OpenRemote | undefined,
  ctx: Context,
): Promise<BuiltKustomization> {
  // Loaded only where it is asked for: few components inflate charts.
  const engine = enableHelm ? (await import('../../render/helm/index.ts')).helmEngine : undefined
  const fetchRemote = remote === undefined ? undefined : await openRemote?.(remote)
  const built = await within(describes, () =>
    buildWithRemotes(tree, path, { loadRestrictor, ...defined({ engine }) }, fetchRemote, ctx),
  )
  if (built.objects.length === 0)
    throw new LadingError('source.empty', `component ${name} comes to no objects`, { name })
  return built
}

/** Reads a manifest file; with declared inputs it is a template, as an inline manifest is. */
async function readFilled(path: string, folder: string, plan: ManifestPlan, ctx: Context): Promise<string> {
  const text = await readManifest(path, folder)
  const { manifest_inputs: inputs, labels } = plan
  if (inputs === undefined) return text
  const filling = { inputs, component: labels['lading.dev/component'] ?? '', file: path }
  return runStoppable(fillJob, { text, filling }, ctx)
}

async function within<Result>(where: string | undefined, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isLadingError(error) || where === undefined) throw error
    const kustomized = /^resources: accumulating 'manifest\.yaml': (?:manifest\.yaml([,:]) )?/
    const message = error.message.replace(kustomized, (_all, mark: string = ':') => `${where}${mark} `)
    throw new LadingError(error.code, message, error.details, { cause: error })
  }
}

/** Reads by the tree, which follows no link out of itself. */
function readFrom(tree: FileTree, path: string): string {
  const found = tree.resolve(path)
  if (found?.kind === 'file') return Buffer.from(tree.read(found.path)).toString('utf8')
  throw new LadingError('file.not-found', `there is no file ${path}`, { file: path })
}
