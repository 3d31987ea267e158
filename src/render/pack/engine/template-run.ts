import type { Environment } from 'minijinja-js'
import { LadingError } from '../../../core/index.ts'
import { dataFilters } from './data-filters.ts'
import { filesObject } from './files-object.ts'
import type { TemplateFunction } from './filter.ts'
import { functionTable, type FunctionWorld, maxTplDepth } from './functions.ts'
import type { Engine } from './load-engine.ts'
import { textFilters } from './text-filters.ts'
import { TemplateFailure } from './value.ts'

/** What the templates of one pack are rendered with. */
export interface RunOptions {
  readonly templates: ReadonlyMap<string, string>
  readonly globals: Readonly<Record<string, unknown>>
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly strict: boolean
  readonly world: Omit<FunctionWorld, 'render'>
  /** Steps that each template may take. */
  readonly fuel: number
  /** The most characters that one template may give. */
  readonly maxOutput: number
}

/** Renders templates of one pack that may import each other. */
export class TemplateRun {
  readonly #engine: Engine
  readonly #options: RunOptions
  /** One environment for each depth of `tpl`: one that renders cannot be entered again. */
  readonly #environments: Environment[] = []
  #depth = 0
  /** What a filter or function failed with: MiniJinja itself only says that it got no usable value. */
  #failure: string | undefined

  constructor(engine: Engine, options: RunOptions) {
    this.#engine = engine
    this.#options = options
  }

  /** Renders one of the templates. */
  render(name: string): string {
    return this.#guarded(name, (environment) => environment.renderTemplate(name, {}))
  }

  /** Renders a text that is no template of the pack, under a name for its errors. */
  renderText(name: string, text: string): string {
    return this.#guarded(name, (environment) => environment.renderNamedStr(`${name}#`, text, {}))
  }

  /** Gives the memory of the environments back. */
  free(): void {
    for (const environment of this.#environments) environment.free()
    this.#environments.length = 0
  }

  #guarded(name: string, work: (environment: Environment) => string): string {
    this.#failure = undefined
    try {
      const text = work(this.#environment())
      if (text.length > this.#options.maxOutput) {
        throw new LadingError('template.limit', `${name} gives more than ${this.#options.maxOutput} characters`, {
          template: name,
        })
      }
      return text
    } catch (error) {
      throw this.#errorOf(error, name)
    }
  }

  #environment(): Environment {
    const known = this.#environments[this.#depth]
    if (known !== undefined) return known
    const environment = this.#engine.newEnvironment()
    const { templates, globals, files, strict, fuel } = this.#options
    environment.undefinedBehavior = strict ? 'chainable' : 'lenient'
    environment.fuel = fuel
    for (const [name, filter] of Object.entries({ ...textFilters, ...dataFilters }))
      environment.addFilter(name, this.#safe(filter))
    const functions = functionTable({ ...this.#options.world, render: (text, context) => this.#tpl(text, context) })
    for (const [name, call] of Object.entries(functions)) environment.addGlobal(name, this.#safe(call))
    for (const [name, value] of Object.entries(globals)) environment.addGlobal(name, value)
    const methods = Object.entries(filesObject(files)).map(([name, call]) => [name, this.#safe(call)])
    environment.addGlobal('files', Object.fromEntries(methods))
    for (const [name, source] of templates) addTemplate(environment, name, source)
    this.#environments[this.#depth] = environment
    return environment
  }

  #tpl(text: string, context: unknown): string {
    if (!text.includes('{{') && !text.includes('{%')) return text
    if (this.#depth + 1 > maxTplDepth) throw new TemplateFailure(`tpl calls itself more than ${maxTplDepth} deep`)
    this.#depth += 1
    try {
      return this.#environment().renderStr(text, context ?? {})
    } catch (error) {
      throw new TemplateFailure(`tpl: ${this.#failure ?? messageOf(error)}`)
    } finally {
      this.#depth -= 1
    }
  }

  // What is thrown through MiniJinja destroys it; a symbol is a value that it refuses at once, with the place.
  #safe(call: TemplateFunction): TemplateFunction {
    return (...args) => {
      if (this.#failure !== undefined) return Symbol('failed')
      try {
        return call(...args)
      } catch (error) {
        this.#failure = error instanceof TemplateFailure ? error.message : `the function failed: ${messageOf(error)}`
        return Symbol('failed')
      }
    }
  }

  #errorOf(error: unknown, name: string): LadingError {
    if (error instanceof LadingError) return error
    const message = messageOf(error)
    const [, place = name] = [...message.matchAll(/\(in ([^()\s]+:\d+)\)/g)].at(-1) ?? []
    const at = place.replace('#:', ':')
    const details = { template: name, place: at }
    if (error instanceof Error && error.name === 'RuntimeError') {
      return new LadingError('template.limit', `${name}: it needs more memory than a template may have`, details, {
        cause: error,
      })
    }
    // The binding tells what kind of error it is by its text alone.
    const problem = (this.#failure ?? tooLarge(message) ?? message).replace(/ \(in [^()\s]+:\d+\)[^]*$/, '')
    if (/ran out of fuel|recursion limit/.test(message)) {
      return new LadingError('template.limit', `${at}: ${problem}: it never ends, or does too much`, details, {
        cause: error,
      })
    }
    const code = message.startsWith('syntax error') ? 'template.syntax' : 'template.failed'
    return new LadingError(code, `${at}: ${problem}`, details, { cause: error })
  }
}

// By their names MiniJinja would take templates for JSON or HTML and escape what they print; Sherpack's does not.
function addTemplate(environment: Environment, name: string, source: string): void {
  const text = source.replace(/\r?\n$/, '')
  environment.addTemplate(name, `{% autoescape false %}${text}{% endautoescape %}`)
}

// The binding hands filters and functions doubles; a number that would change is refused there, in JavaScript's words.
function tooLarge(message: string): string | undefined {
  const [, digits] = /(-?\d+) can't be represented as a JavaScript number/.exec(message) ?? []
  if (digits === undefined) return undefined
  return `${digits} is too large for a filter or a function of a pack: print it without one, or give it as a text`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
