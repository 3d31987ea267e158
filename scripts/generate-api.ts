import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DeclarationReflection, ProjectReflection } from 'typedoc'

/** The API reference of a package. */
export interface ApiReference {
  /** The pages: file name below docs/reference/api → text. */
  readonly pages: Readonly<Record<string, string>>
  /** The exports that have no doc comment, as `door: name`, and what TypeDoc warned of. */
  readonly problems: readonly string[]
}

/** Writes a page for each door; `doors` maps its name (`kube/contract`) to its source file. */
export async function apiReference(
  doors: Readonly<Record<string, string>>,
  title: string,
  tsconfig: string,
): Promise<ApiReference> {
  // TypeDoc reads programs with the compiler API, which TypeScript 7 does not have.
  const hooks = registerHooks({
    resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript-5.9' : specifier, context),
  })
  const { Application, LogLevel } = await import('typedoc')
  const markdown = await import('typedoc-plugin-markdown')
  hooks.deregister()

  const app = await Application.bootstrapWithPlugins({
    name: title,
    logLevel: 'Warn',
    plugin: [(host) => markdown.load(host)],
    entryPoints: Object.values(doors),
    sortEntryPoints: false,
    tsconfig,
    // `npm run check` has compiled the sources already.
    skipErrorChecking: true,
    readme: 'none',
    // Lines and commits would change the pages with every edit.
    disableSources: true,
    excludeExternals: true,
    excludePrivate: true,
    sort: ['source-order'],
    groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables', '*', 'References'],
    validation: { notExported: false, notDocumented: false, invalidLink: true },
    ...pageOptions,
  })
  const problems: string[] = []
  app.logger.log = (message, level) => {
    if (level >= LogLevel.Warn) problems.push(message)
  }
  const project = await app.convert()
  if (project === undefined) return { pages: {}, problems }
  nameDoors(project, Object.keys(doors))
  app.validate(project)
  problems.push(...undocumented(project))

  const folder = mkdtempSync(join(tmpdir(), 'lading-api-'))
  try {
    await app.outputs.writeOutput({ name: 'markdown', path: folder }, project)
    const pages = readPages(folder)
    const notice = `# ${title}\n\nGenerated from the doc comments by \`npm run docs\`; do not edit.\n`
    return { pages: { ...pages, 'README.md': (pages['README.md'] ?? '').replace(/^# .*\n/, notice) }, problems }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const pageOptions = {
  router: 'module',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  indexFormat: 'table',
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  propertyMembersFormat: 'table',
  typeDeclarationFormat: 'table',
  enumMembersFormat: 'table',
  pageTitleTemplates: { module: ({ name }: { readonly name: string }) => `lading/${name}` },
}

/** Names each module after its door instead of its folder, and sorts what it exports by name. */
function nameDoors(project: ProjectReflection, names: readonly string[]): void {
  for (const [at, module] of (project.children ?? []).entries()) {
    module.name = names[at] ?? module.name
    module.children?.sort(byName)
    for (const group of module.groups ?? []) group.children.sort(byName)
  }
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : Number(one.name > other.name)
}

function undocumented(project: ProjectReflection): string[] {
  return (project.children ?? []).flatMap((module) => [
    ...(module.hasComment() ? [] : [`${module.name}: the door itself`]),
    ...(module.children ?? [])
      .filter((one) => !one.isReference() && !isDocumented(one))
      .map((one) => `${module.name}: ${one.name}`),
  ])
}

/** The comment of a function belongs to its signatures, that of a function type to the signatures of the type. */
function isDocumented(one: DeclarationReflection): boolean {
  const typed = one.type?.type === 'reflection' ? one.type.declaration.signatures : undefined
  return [one, ...(one.signatures ?? []), ...(typed ?? [])].some((part) => part.hasComment())
}

function readPages(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    files
      .filter((file) => statSync(join(folder, file)).isFile())
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  )
}

/** The doors of package.json: name → source file. */
function packageDoors(root: string): Record<string, string> {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { types?: string }>
  }
  return Object.fromEntries(
    Object.entries(exports).flatMap(([name, entry]) =>
      typeof entry === 'string' || entry.types === undefined
        ? []
        : [[name.slice(2), join(root, entry.types.replace('/dist/', '/src/').replace(/\.d\.ts$/, '.ts'))]],
    ),
  )
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const folder = join(root, 'docs/reference/api')
  const { pages, problems } = await apiReference(packageDoors(root), 'API', join(root, 'tsconfig.build.json'))
  for (const problem of problems) console.error(`API reference: ${problem}`)
  if (problems.length > 0) {
    console.error('Every export needs a doc comment, and every link in one a target.')
    process.exitCode = 1
  } else if (!process.argv.includes('--check')) {
    rmSync(folder, { recursive: true, force: true })
    for (const [name, text] of Object.entries(pages)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
  } else {
    mkdirSync(folder, { recursive: true })
    const written = readPages(folder)
    const stale = [...new Set([...Object.keys(pages), ...Object.keys(written)])].filter(
      (name) => pages[name] !== written[name],
    )
    if (stale.length > 0) console.error(`docs/reference/api is out of date (${stale.join(', ')}): run \`npm run docs\``)
    process.exitCode = stale.length > 0 ? 1 : 0
  }
}
