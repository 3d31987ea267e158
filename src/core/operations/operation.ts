import { LadingError } from '../errors.ts'
import type { LadingEvent } from './events.ts'
import { expectUse, noteUse } from './unused-operations.ts'

/**
 * Long work that has not started yet. Await it for its result, iterate it for its events, or pass `onEvent` and await it. It starts
 * at the first of these, once.
 */
export interface Operation<Result, Event = LadingEvent> extends AsyncGenerator<Event, Result, void>, Promise<Result> {
  readonly [Symbol.toStringTag]: string
}

/** What every operation can be given. */
export interface OperationOptions<Event = LadingEvent> {
  /** Called with every event in order; the operation goes on when a promise that it returns is settled. */
  readonly onEvent?: (event: Event) => unknown
}

/** Makes an operation of an async generator function; `name` is what messages call it. */
export function operation<Result, Event = LadingEvent>(
  name: string,
  start: () => AsyncGenerator<Event, Result, void>,
  { onEvent }: OperationOptions<Event> = {},
): Operation<Result, Event> {
  return new LazyOperation(name, start, onEvent)
}

class LazyOperation<Result, Event> implements Operation<Result, Event> {
  readonly [Symbol.toStringTag] = 'Operation'
  readonly #name: string
  readonly #start: () => AsyncGenerator<Event, Result, void>
  readonly #onEvent: OperationOptions<Event>['onEvent']
  readonly #ending = Promise.withResolvers<Result>()
  #work: AsyncGenerator<Event, Result, void> | undefined
  #isAwaited = false

  constructor(
    name: string,
    start: () => AsyncGenerator<Event, Result, void>,
    onEvent: OperationOptions<Event>['onEvent'],
  ) {
    this.#name = name
    this.#start = start
    this.#onEvent = onEvent
    // Who iterates gets the error from the iteration, and need not await as well.
    this.#ending.promise.catch(() => undefined)
    expectUse(this, name)
  }

  // oxlint-disable-next-line unicorn/no-thenable -- an operation is meant to be awaited
  then<Value = Result, Failure = never>(
    onResult?: ((result: Result) => Value | PromiseLike<Value>) | null,
    onFailure?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    return this.#result().then(onResult, onFailure)
  }

  catch<Failure = never>(
    onFailure?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#result().catch(onFailure)
  }

  finally(onEnd?: (() => void) | null): Promise<Result> {
    return this.#result().finally(onEnd)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Event, Result>> {
    if (this.#isAwaited) {
      const message = `${this.#name} is awaited already and cannot be iterated too: pass onEvent to get its events`
      throw new LadingError('usage.invalid', message, { operation: this.#name })
    }
    return await this.#advance((work) => work.next())
  }

  async return(value: Result | PromiseLike<Result>): Promise<IteratorResult<Event, Result>> {
    const step = await this.#advance((work) => work.return(value), false)
    // Does nothing when the operation had come to its end before.
    if (step.done === true) this.#ending.reject(this.#stopped())
    return step
  }

  async throw(error: unknown): Promise<IteratorResult<Event, Result>> {
    return await this.#advance((work) => work.throw(error))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return(undefined as Result)
  }

  #result(): Promise<Result> {
    if (this.#work === undefined) {
      this.#isAwaited = true
      this.#drain().catch(() => undefined)
    }
    return this.#ending.promise
  }

  async #drain(): Promise<void> {
    while ((await this.#advance((work) => work.next())).done !== true);
  }

  async #advance(
    move: (work: AsyncGenerator<Event, Result, void>) => Promise<IteratorResult<Event, Result>>,
    isResult = true,
  ): Promise<IteratorResult<Event, Result>> {
    const work = this.#begun()
    try {
      const step = await move(work)
      if (step.done !== true) await this.#tell(step.value, work)
      else if (isResult) this.#ending.resolve(step.value)
      return step
    } catch (error) {
      this.#ending.reject(error)
      throw error
    }
  }

  #begun(): AsyncGenerator<Event, Result, void> {
    if (this.#work === undefined) {
      noteUse(this)
      this.#work = this.#start()
    }
    return this.#work
  }

  async #tell(event: Event, work: AsyncGenerator<Event, Result, void>): Promise<void> {
    try {
      await this.#onEvent?.(event)
    } catch (error) {
      await work.return(undefined as Result)
      throw error
    }
  }

  #stopped(): LadingError {
    return new LadingError('cancelled', `${this.#name} was stopped before its end`, { operation: this.#name })
  }
}
