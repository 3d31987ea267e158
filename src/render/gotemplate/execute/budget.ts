import { type Clock, LadingError } from '../../../core/index.ts'

/** How much a template may do before it is stopped. */
export interface Limits {
  /** Templates within templates, by `template` and by functions that execute one; the stack may end before. */
  readonly maxDepth?: number
  /** Characters (UTF-16 units) that an execution and those within it print together. */
  readonly maxOutputBytes?: number
  /** Actions and function calls. */
  readonly maxSteps?: number
  /** When to stop; the clock is asked every thousand steps. */
  readonly deadline?: { readonly clock: Clock; readonly at: number }
}

const stepsBetweenLooks = 1024

/** What is left of the limits; shared by an execution and all that run within it. */
export class Budget {
  readonly maxDepth: number
  readonly #maxOutput: number
  readonly #maxSteps: number
  readonly #deadline: Limits['deadline']
  #depth = 0
  #output = 0
  #steps = 0

  constructor({ maxDepth = 2100, maxOutputBytes = 1 << 28, maxSteps = 50_000_000, deadline }: Limits = {}) {
    this.maxDepth = maxDepth
    this.#maxOutput = maxOutputBytes
    this.#maxSteps = maxSteps
    this.#deadline = deadline
  }

  /** Runs one template within whatever runs already; the outermost starts with everything unspent. */
  enter<T>(template: string, run: () => T): T {
    if (this.#depth === 0) {
      this.#output = 0
      this.#steps = 0
    }
    const depth = this.#depth
    if (depth >= this.maxDepth) throw limit(`template: ${template}: exceeded maximum template depth (${this.maxDepth})`)
    this.#depth++
    try {
      return run()
    } catch (error) {
      // The stack's end, or a text longer than the engine can hold; told by class, the message is the engine's own.
      if (depth === 0 && error instanceof RangeError) {
        throw limit(`template: ${template}: it nests too deeply or makes too long a text`, error)
      }
      throw error
    } finally {
      this.#depth = depth
    }
  }

  /** Whether one more template may be called. */
  hasDepth(): boolean {
    return this.#depth < this.maxDepth
  }

  deeper(): void {
    this.#depth++
  }

  shallower(): void {
    this.#depth--
  }

  step(): void {
    this.#steps++
    if (this.#steps % stepsBetweenLooks === 0) this.#look()
  }

  spend(length: number): void {
    this.#output += length
    if (this.#output > this.#maxOutput) throw limit(`the templates print more than ${this.#maxOutput} bytes`)
  }

  #look(): void {
    if (this.#steps > this.#maxSteps) throw limit(`the templates take more than ${this.#maxSteps} steps`)
    if (this.#deadline !== undefined && this.#deadline.clock.now() > this.#deadline.at) {
      throw limit('the templates take longer than they may')
    }
  }
}

function limit(message: string, cause?: unknown): LadingError {
  return new LadingError('template.limit', message, {}, { cause })
}
