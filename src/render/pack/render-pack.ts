import {
  isRecord,
  type KubeObject,
  LadingError,
  newSeed,
  type RandomSource,
  randomUuid,
  seededRandom,
} from '../../core/index.ts'
import { readObjects } from '../../core/yaml/index.ts'
import { type Engine, loadEngine } from './engine/load-engine.ts'
import { TemplateRun } from './engine/template-run.ts'
import type { Pack, PackDependency } from './pack.ts'
import { mergeOver } from './merge-over.ts'
import { validatePackValues } from './schema/validate-pack-values.ts'

/** What a pack is rendered with. */
export interface RenderPackOptions {
  /** All values, defaults included. */
  readonly values: Readonly<Record<string, unknown>>
  readonly release: {
    readonly name: string
    readonly namespace: string
    readonly revision: number
    readonly isInstall: boolean
    readonly isUpgrade: boolean
  }
  readonly capabilities?: { readonly kubeVersion: string; readonly apiVersions: readonly string[] }
  readonly now?: () => Date
  /** What UUIDs are drawn from (default: a fresh seed). */
  readonly random?: RandomSource
  /** What `lookup` finds (default: nothing). */
  readonly lookup?: (apiVersion: string, kind: string, namespace: string, name: string) => unknown
  readonly skipSchemaValidation?: boolean
  /** Steps that each template may take (default: 2,000,000). */
  readonly fuel?: number
  /** The most characters that one template may give (default: 8 Mi). */
  readonly maxOutput?: number
}

/** What a pack came to. */
export interface RenderedPack {
  /** Texts by the names of their templates; those of a subpack begin with its name. */
  readonly manifests: ReadonlyMap<string, string>
  readonly objects: readonly KubeObject[]
  readonly crds: readonly KubeObject[]
  readonly notes?: string
  readonly warnings: readonly string[]
}

/** Renders a pack and the packs that it depends on, as Sherpack does. */
export async function renderPack(pack: Pack, options: RenderPackOptions): Promise<RenderedPack> {
  const render = await openPack(pack)
  return render(options)
}

/** Loads what a pack is rendered with; the function that it gives renders once, without waiting for anything. */
export async function openPack(pack: Pack): Promise<(options: RenderPackOptions) => RenderedPack> {
  if (pack.kind === 'library') {
    throw new LadingError('pack.invalid', `${pack.metadata.name} is a library: it is there for other packs`, {
      pack: pack.metadata.name,
    })
  }
  // One for each rendering: what a hostile pack does to its memory ends with it.
  const engine = await loadEngine()
  return (options) => render(pack, options, engine)
}

function render(pack: Pack, options: RenderPackOptions, engine: Engine): RenderedPack {
  if (options.skipSchemaValidation !== true) validatePackValues(pack, options.values)
  const warnings: string[] = []
  const { random = seededRandom(newSeed()) } = options
  const result = renderOne(pack, { ...options, random }, engine, warnings)
  const objects = [...result.manifests].flatMap(([file, text]) => readObjects(text, { file }))
  const crds = [...result.crds].flatMap(([file, text]) => readObjects(text, { file }))
  return {
    manifests: result.manifests,
    objects,
    crds,
    warnings,
    ...(result.notes === undefined ? {} : { notes: result.notes }),
  }
}

type RunningOptions = RenderPackOptions & { readonly random: RandomSource }

interface Result {
  readonly manifests: Map<string, string>
  readonly crds: Map<string, string>
  notes: string | undefined
}

function renderOne(pack: Pack, options: RunningOptions, engine: Engine, warnings: string[]): Result {
  const result: Result = { manifests: new Map(), crds: new Map(), notes: undefined }
  for (const [name, subpack] of enabledSubpacks(pack, options.values, warnings)) {
    const below = renderOne(
      subpack,
      { ...options, values: scopedValues(subpack, options.values, name) },
      engine,
      warnings,
    )
    for (const [file, text] of below.manifests) result.manifests.set(`${name}/${file}`, text)
    for (const [file, text] of below.crds) result.crds.set(`${name}/${file}`, text)
  }
  const run = new TemplateRun(engine, runOptions(pack, options))
  for (const name of pack.templates.keys()) {
    const base = name.slice(name.lastIndexOf('/') + 1)
    if (base.startsWith('_')) continue
    const text = run.render(name)
    if (name.toLowerCase().includes('notes')) result.notes = text
    else if (text.trim() !== '' && text.trim() !== '---')
      result.manifests.set(name.replace(/(?:\.j2|\.jinja2)+$/, ''), text)
  }
  if (pack.installsCrds) {
    for (const [name, text] of pack.crds)
      result.crds.set(`crds/${name}`, /\{\{|\{%/.test(text) ? run.renderText(`crds/${name}`, text) : text)
  }
  run.free()
  return result
}

function runOptions(pack: Pack, options: RunningOptions) {
  const { release, random, now = () => new Date(), lookup = () => ({}) } = options
  const { name, version, appVersion = null } = pack.metadata
  const { isInstall, isUpgrade } = release
  return {
    templates: pack.templates,
    files: pack.files,
    strict: pack.strict,
    fuel: options.fuel ?? 2_000_000,
    maxOutput: options.maxOutput ?? 8 * 1024 * 1024,
    world: { now, lookup, uuid: () => randomUuid(random) },
    globals: {
      values: options.values,
      // Charts that Sherpack converted spell them with an underscore.
      release: { ...release, is_install: isInstall, is_upgrade: isUpgrade, service: 'Lading' },
      pack: { name, version, appVersion },
      capabilities: capabilitiesOf(options.capabilities),
      template: { name: '', basePath: '' },
    },
  }
}

function capabilitiesOf(given: RenderPackOptions['capabilities']) {
  const { kubeVersion, apiVersions } = given ?? { kubeVersion: 'v1.35.0', apiVersions: [] }
  const [, major = '1', minor = '0'] = /^v?(\d+)\.(\d+)/.exec(kubeVersion) ?? []
  return { kubeVersion: { version: `v${kubeVersion.replace(/^v/, '')}`, major, minor }, apiVersions }
}

function* enabledSubpacks(
  pack: Pack,
  values: Readonly<Record<string, unknown>>,
  warnings: string[],
): Generator<[string, Pack]> {
  const found = new Set<string>()
  for (const [folder, subpack] of pack.subpacks) {
    const row = pack.dependencies.find(({ name, alias }) => (alias ?? name) === folder || name === folder)
    const name = row?.alias ?? folder
    found.add(name)
    if (row === undefined || isEnabled(row, values)) yield [name, subpack]
  }
  for (const row of pack.dependencies) {
    const name = row.alias ?? row.name
    if (row.enabled && isEnabled(row, values) && !found.has(name)) {
      const problem = `the dependency ${name} is missing in charts/`
      if (pack.strict)
        throw new LadingError('pack.invalid', `${problem} of ${pack.metadata.name}`, { dependency: name })
      warnings.push(problem)
    }
  }
}

function isEnabled({ enabled, condition }: PackDependency, values: Readonly<Record<string, unknown>>): boolean {
  if (!enabled || condition === undefined) return enabled
  let found: unknown = values
  for (const part of condition.split('.'))
    found = isRecord(found) && Object.hasOwn(found, part) ? found[part] : undefined
  if (typeof found === 'string') return found !== '' && found !== 'false' && found !== '0'
  if (Array.isArray(found)) return found.length > 0
  return isRecord(found) ? Object.keys(found).length > 0 : Boolean(found)
}

// A pack below sees its own defaults, what the pack above gives under its name, and `global`.
function scopedValues(subpack: Pack, values: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  const own = values[name]
  const global = Object.hasOwn(values, 'global') ? { global: values['global'] } : {}
  return mergeOver(subpack.values, { ...global, ...(isRecord(own) ? own : {}) })
}
