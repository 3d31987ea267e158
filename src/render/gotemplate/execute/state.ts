import { LadingError } from '../../../core/index.ts'
import { byteLength } from '../format/bytes.ts'
import { quote } from '../format/quote.ts'
import { type AnyNode, printNode, type Tree } from '../parse/node.ts'
import type { GoFunction, GoValue } from '../value.ts'
import type { Budget } from './budget.ts'

/** What a map gives for a key that it does not have. */
export type MissingKey = 'default' | 'zero' | 'error'

/** Writes the value of an action; `source` is the action as Go's errors show it, and `line` where it stands. */
export type PrintAction = (value: GoValue, place: { readonly source: string; readonly line: number }) => string

/** What an execution needs of the set that its template belongs to. */
export interface Environment {
  readonly missingKey: MissingKey
  readonly budget: Budget
  readonly print: PrintAction | undefined
  tree(name: string): Tree | undefined
  userFunction(name: string): GoFunction | undefined
}

/** One template while it is executed. */
export class State {
  readonly environment: Environment
  readonly tree: Tree
  readonly output: string[]
  /** Where execution is, for errors; it moves exactly as Go's does. */
  node: AnyNode | undefined = undefined
  dot: GoValue
  /** Whether dot is what a container of `interface {}` holds; Go's errors name that type then. */
  isDotInterface = false
  /** Whether the argument that was evaluated last is what a container of `interface {}` holds. */
  isArgumentInterface = false
  readonly #names: string[] = ['$']
  readonly #values: GoValue[]
  readonly #areInterfaces: boolean[] = [false]

  constructor(environment: Environment, tree: Tree, dot: GoValue, output: string[]) {
    this.environment = environment
    this.tree = tree
    this.dot = dot
    this.output = output
    this.#values = [dot]
  }

  get mark(): number {
    return this.#names.length
  }

  pop(mark: number): void {
    this.#names.length = mark
    this.#values.length = mark
    this.#areInterfaces.length = mark
  }

  push(name: string, value: GoValue): void {
    this.#names.push(name)
    this.#values.push(value)
    this.#areInterfaces.push(false)
  }

  setVariable(name: string, value: GoValue, isInterface: boolean): void {
    this.#set(this.#find(name), value, isInterface)
  }

  /** Sets the last (1) or last but one (2) variable: those of a range. */
  setTop(fromTop: number, value: GoValue, isInterface: boolean): void {
    this.#set(this.#names.length - fromTop, value, isInterface)
  }

  variable(name: string): { readonly value: GoValue; readonly isInterface: boolean } {
    const index = this.#find(name)
    return { value: this.#values[index], isInterface: this.#areInterfaces[index] === true }
  }

  write(text: string): void {
    this.environment.budget.spend(text.length)
    this.output.push(text)
  }

  /** The line of the template on which a node stands, counted from 1. */
  lineOf({ pos }: AnyNode): number {
    return this.tree.text.slice(0, pos).split('\n').length
  }

  /** Ends the execution with Go's words for where it was. */
  fail(message: string, cause?: unknown): never {
    const { name, parseName, text } = this.tree
    if (this.node === undefined) {
      throw new LadingError('template.failed', `template: ${name}: ${message}`, { template: name }, { cause })
    }
    const before = text.slice(0, this.node.pos)
    const lineStart = before.lastIndexOf('\n') + 1
    const line = this.lineOf(this.node)
    const column = byteLength(before.slice(lineStart))
    const place = `${parseName}:${line}:${column}: executing ${quote(name)} at <${printNode(this.node)}>`
    throw new LadingError(
      'template.failed',
      `template: ${place}: ${message}`,
      { template: parseName, line, column },
      { cause },
    )
  }

  #find(name: string): number {
    const index = this.#names.lastIndexOf(name)
    return index >= 0 ? index : this.fail(`undefined variable: ${name}`)
  }

  #set(index: number, value: GoValue, isInterface: boolean): void {
    this.#values[index] = value
    this.#areInterfaces[index] = isInterface
  }
}
