import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A name in the declaration file that declares it. */
interface Declared {
  readonly file: string
  readonly name: string
}

interface Module {
  /** What each exported name stands for. */
  readonly exports: ReadonlyMap<string, Declared>
  /** The modules of which it exports everything. */
  readonly wholes: readonly string[]
  /** What the names in scope stand for: imports and declarations of its own. */
  readonly scope: ReadonlyMap<string, Declared>
  /** The text of each declaration, without comments. */
  readonly declarations: ReadonlyMap<string, string>
}

/**
 * Says which types the signatures of the public API name without exporting them, a sentence each: a program could not write such a type down.
 * `doors` are declaration files as the compiler writes them.
 */
export function unexportedTypes(doors: readonly string[], root: string): string[] {
  const modules = new Map<string, Module>()
  const read = (file: string): Module => {
    const known = modules.get(file)
    if (known !== undefined) return known
    const module = readModule(file)
    modules.set(file, module)
    return module
  }
  const resolve = ({ file, name }: Declared): Declared => {
    const module = read(file)
    if (module.declarations.has(name)) return { file, name }
    const exported = module.exports.get(name)
    // An import that is exported again by `export { name }`.
    const isOwn = exported?.file === file && exported.name === name
    const next = exported === undefined || isOwn ? module.scope.get(name) : exported
    return next === undefined ? { file, name } : resolve(next)
  }
  const key = ({ file, name }: Declared): string => `${relative(root, file)} ${name}`

  const exported = new Map<string, Declared>()
  const open = (file: string): void => {
    for (const target of read(file).exports.values()) exported.set(key(resolve(target)), resolve(target))
    for (const whole of read(file).wholes) open(whole)
  }
  for (const door of doors) open(door)
  const problems = new Set<string>()
  for (const { file, name } of exported.values()) {
    const { scope, declarations } = read(file)
    const text = declarations.get(name) ?? ''
    const isAlias = /^(?:export )?(?:declare )?type /.test(text)
    for (const used of namesIn(text)) {
      const target = scope.get(used)
      if (target === undefined || used === name) continue
      const declared = resolve(target)
      const declaration = read(declared.file).declarations.get(declared.name) ?? ''
      const isType = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|enum) /.test(declaration)
      // A generic alias inside of another alias computes a type, and the caller sees what it comes to.
      const isComputed = isAlias && /^(?:declare )?type \w+</.test(declaration)
      if (!isType || isComputed || exported.has(key(declared))) continue
      problems.add(
        `${relative(root, file)}: ${name} names ${declared.name} of ${relative(root, declared.file)}, which no door exports`,
      )
    }
  }
  return [...problems].sort()
}

function readModule(file: string): Module {
  const text = withoutComments(readFileSync(file, 'utf8'))
  const exports = new Map<string, Declared>()
  const wholes: string[] = []
  const scope = new Map<string, Declared>()
  const declarations = new Map<string, string>()
  const at = (specifier: string): string => join(dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts'))

  for (const statement of statementsOf(text)) {
    const list = /^(import|export)(?: type)? \{([^}]*)\}(?: from ['"]([^'"]+)['"])?/.exec(statement)
    if (list !== null) {
      const [, verb, names = '', from] = list
      if (from !== undefined && !from.startsWith('.')) continue
      for (const [original, local] of namePairs(names)) {
        if (verb === 'import') scope.set(local, { file: at(from ?? ''), name: original })
        else exports.set(local, { file: from === undefined ? file : at(from), name: original })
      }
      continue
    }
    const whole = /^export(?: type)? \* from ['"]([^'"]+)['"]/.exec(statement)
    if (whole !== null) wholes.push(at(whole[1] ?? ''))
    const declaration =
      /^(export )?(?:declare )?(?:abstract )?(?:async )?(?:interface|type|class|enum|function|const|let) (\w+)/.exec(
        statement,
      )
    if (declaration === null) continue
    const [, isExported, name = ''] = declaration
    scope.set(name, { file, name })
    if (isExported !== undefined) exports.set(name, { file, name })
    declarations.set(name, `${declarations.get(name) ?? ''}${statement}\n`)
  }
  return { exports, wholes, scope, declarations }
}

/** A declaration file has one statement after the other, each from the start of a line. */
function statementsOf(text: string): string[] {
  return text
    .split(/\n(?=(?:export|import|declare|interface|type|class|enum|function|const)\b)/)
    .map((one) => one.trim())
}

function namePairs(names: string): [string, string][] {
  return names
    .split(',')
    .map((one) => one.trim().replace(/^type /, ''))
    .filter((one) => one !== '')
    .map((one) => {
      const [original = '', local = original] = one.split(' as ')
      return [original, local]
    })
}

/** The names of types in a text: those that begin with a capital and are not a property or a part of a text. */
function namesIn(text: string): Set<string> {
  const bare = text.replaceAll(/'[^'\n]*'|"[^"\n]*"/g, '')
  return new Set([...bare.matchAll(/(?<![.\w])([A-Z]\w*)\b(?!\??:)/g)].map((match) => match[1] ?? ''))
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { types?: string }>
  }
  const doors = Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' || entry.types === undefined ? [] : [join(root, entry.types)],
  )
  const problems = unexportedTypes(doors, join(root, 'dist'))
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
