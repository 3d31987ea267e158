import { type Context, LadingError } from '../../core/index.ts'
import { recogniseKind } from './recognise-kind.ts'
import type { Source, SourceKind, SourceOptions } from './source.ts'

type Engine = (text: string, options: SourceOptions) => Source

/** The engines that there are, loaded when they are needed: one that is missing is refused by name. */
const engines: Partial<Record<SourceKind, () => Promise<Engine>>> = {
  manifest: async () => (await import('./manifest-source.ts')).manifestSource,
  kustomization: async () => (await import('./kustomize-source.ts')).kustomizeSource,
  chart: async () => (await import('./chart-source.ts')).chartSource,
  pack: async () => (await import('./pack-source.ts')).packSource,
  program: async () => (await import('./program-source.ts')).programSource,
  archive: async () => (await import('./chart-source.ts')).archiveSource,
  url: async () => (await import('./chart-source.ts')).fetchedChartSource,
  oci: async () => (await import('./artifact-source.ts')).artifactSource,
}

const names: Readonly<Record<SourceKind, string>> = {
  manifest: 'a manifest (a file, a folder of YAML or JSON, or - for standard input)',
  kustomization: 'a kustomization (a folder with kustomization.yaml)',
  chart: 'a Helm chart (a folder with Chart.yaml)',
  pack: 'a pack (a folder with Pack.yaml)',
  program: 'a program (a .ts, .mts, .js or .mjs file, or a folder with source.ts)',
  archive: 'an archive of a Helm chart or a pack (.tgz)',
  oci: 'an OCI artifact (oci://…)',
  url: 'a chart of a repository (REPO/NAME, https://….tgz)',
}

/** Recognises what a SOURCE argument is and gives it as something to render. */
export async function recogniseSource(text: string, options: SourceOptions, ctx: Context): Promise<Source> {
  const kind = await recogniseKind(text, options, ctx)
  if (kind !== 'program' && options.program !== undefined) {
    const problem = `${withoutSecrets(text)} is ${names[kind]}: --program-… flags are for programs`
    throw new LadingError('usage.invalid', problem, { source: withoutSecrets(text), kind })
  }
  const engine = kind === 'url' && !isFetched(text, options) ? undefined : await engines[kind]?.()
  if (engine !== undefined) return engine(text, options)
  const supported = (Object.keys(engines) as SourceKind[]).map((each) => names[each]).join(', ')
  const problem = `${withoutSecrets(text)} is ${names[kind]}, which Lading does not render yet; it renders ${supported}`
  throw new LadingError('source.unsupported', problem, { source: withoutSecrets(text), kind })
}

/** Of what lies behind an address only archives of charts are known. */
function isFetched(text: string, { fetchChart }: SourceOptions): boolean {
  return fetchChart !== undefined && (!text.includes('://') || /\.(?:tgz|tar\.gz)(?:[?#]|$)/i.test(text))
}

/** An address without user, password and query. */
export function withoutSecrets(text: string): string {
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(text)) return text
  return text.replace(/[?#].*$/s, '').replace(/^([^/]+:\/\/)[^/]*@/, '$1')
}
