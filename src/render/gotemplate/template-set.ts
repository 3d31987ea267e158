import { LadingError } from '../../core/index.ts'
import { builtins } from './execute/builtins.ts'
import { Budget, type Limits } from './execute/budget.ts'
import { type Environment, type MissingKey, type PrintAction, State } from './execute/state.ts'
import { walkList } from './execute/walk.ts'
import { rejoin } from './format/bytes.ts'
import { quote } from './format/quote.ts'
import { isEmptyTree, type Tree } from './parse/node.ts'
import { type ParsedText, parseTemplate } from './parse/parser.ts'
import { TreeCache } from './tree-cache.ts'
import type { GoFunction, GoValue } from './value.ts'

/** What a set of templates is made with. */
export interface TemplateSetOptions {
  /** Functions besides Go's own, which they may replace. */
  readonly functions: Readonly<Record<string, GoFunction>>
  /** What a map gives for a key that it does not have: `<no value>`, the zero of its type, or an error. */
  readonly missingKey: MissingKey
  /** How an action prints its value; as Go prints it unless given. */
  readonly print?: PrintAction
  readonly limits?: Limits
  readonly leftDelim?: string
  readonly rightDelim?: string
  /** Name of the set, as errors about templates that are not in it say it. */
  readonly name?: string
  readonly cache?: TreeCache
}

/** What the templates of a set share while one of them runs. */
export interface Shared {
  readonly functions: ReadonlyMap<string, GoFunction>
  readonly own: ReadonlyMap<string, GoFunction>
  readonly trees: Map<string, Tree>
  readonly cache: TreeCache
  readonly budget: Budget
}

/** Templates that can call each other, as Go's text/template associates them. */
export class TemplateSet {
  readonly #options: TemplateSetOptions
  readonly #functions: ReadonlyMap<string, GoFunction>
  /** What a clone has instead of the functions that it shares: clones are made often, and tables are long. */
  readonly #own: ReadonlyMap<string, GoFunction>
  readonly #trees: Map<string, Tree>
  readonly #cache: TreeCache
  readonly #budget: Budget
  readonly #environment: Environment

  constructor(options: TemplateSetOptions, shared?: Shared) {
    this.#options = options
    this.#functions = shared?.functions ?? new Map(Object.entries(options.functions))
    this.#own = shared?.own ?? new Map<string, GoFunction>()
    this.#trees = shared?.trees ?? new Map<string, Tree>()
    this.#cache = shared?.cache ?? options.cache ?? new TreeCache()
    this.#budget = shared?.budget ?? new Budget(options.limits)
    this.#environment = {
      missingKey: options.missingKey,
      budget: this.#budget,
      print: options.print,
      tree: (name) => this.#trees.get(name),
      userFunction: (name) => this.#own.get(name) ?? this.#functions.get(name),
    }
  }

  /**
   * Adds the template of a text and those that it defines; what is empty does not replace what is there, but for the text's
   * own template where it is new, as after Go's `New`.
   */
  parse(name: string, text: string, isNew = false): void {
    for (const [defined, tree] of this.#parsed(name, text).trees) {
      if (!this.#trees.has(defined) || !isEmptyTree(tree) || (isNew && defined === name)) this.#trees.set(defined, tree)
    }
  }

  /** Whether there is a template of that name. */
  has(name: string): boolean {
    return this.#trees.has(name)
  }

  /** Names of all templates, in the order of their first definition. */
  names(): string[] {
    return [...this.#trees.keys()]
  }

  /** Executes a template; errors are `template.failed` with Go's message, and `template.limit`. */
  execute(name: string, data: GoValue): string {
    const tree = this.#trees.get(name)
    if (tree === undefined) {
      const own = quote(this.#options.name ?? '')
      const message = `template: no template ${quote(name)} associated with template ${own}`
      throw new LadingError('template.failed', message, { template: name })
    }
    const output: string[] = []
    this.#budget.enter(name, () =>
      walkList(new State(this.#environment, tree, data === null ? undefined : data, output), tree.root),
    )
    return rejoin(output.join(''))
  }

  /** A set of its own with the same templates: what is parsed into one is not in the other, and they share limits and cache. */
  clone(functions: Readonly<Record<string, GoFunction>> = {}): TemplateSet {
    return new TemplateSet(this.#options, {
      functions: this.#functions,
      own: new Map([...this.#own, ...Object.entries(functions)]),
      trees: new Map(this.#trees),
      cache: this.#cache,
      budget: this.#budget,
    })
  }

  #parsed(name: string, text: string): ParsedText {
    const { leftDelim = '', rightDelim = '' } = this.#options
    const has = (fn: string): boolean => this.#own.has(fn) || this.#functions.has(fn) || builtins.has(fn)
    const isBreakKeyword = !has('break')
    const isContinueKeyword = !has('continue')
    const key = [name, leftDelim, rightDelim, isBreakKeyword, isContinueKeyword].join('\0')
    const known = this.#cache.get(text, key)
    // A set without one of the functions must say so.
    if (known !== undefined && [...known.functions].every(has)) return known
    const delims = { leftDelim: leftDelim || '{{', rightDelim: rightDelim || '}}' }
    const parsed = parseTemplate(name, text, { ...delims, isBreakKeyword, isContinueKeyword }, has)
    this.#cache.set(text, key, parsed)
    return parsed
  }
}
