import { type Node, PatternProblem } from './parse-pattern.ts'

type Step =
  | { readonly op: 'character'; readonly test: (character: string) => boolean; next: number }
  | { readonly op: 'assert'; readonly where: 'start' | 'end' | 'boundary' | 'inside'; next: number }
  | { readonly op: 'split'; next: number; other: number }
  | { readonly op: 'match' }

/** The steps of a pattern, the first one first. */
type Program = readonly Step[]

const mostSteps = 20_000

/** Turns a pattern into steps that are followed all at once (Thompson's construction). */
export function compileProgram(node: Node): Program {
  const steps: Step[] = []
  const add = (step: Step): number => {
    if (steps.length >= mostSteps) throw new PatternProblem('it repeats too much')
    steps.push(step)
    return steps.length - 1
  }
  emit(node, add, steps)
  add({ op: 'match' })
  return steps
}

function emit(node: Node, add: (step: Step) => number, steps: Step[]): void {
  switch (node.type) {
    case 'character':
      add({ op: 'character', test: node.test, next: steps.length + 1 })
      break
    case 'assert':
      add({ op: 'assert', where: node.where, next: steps.length + 1 })
      break
    case 'sequence':
      for (const each of node.nodes) emit(each, add, steps)
      break
    case 'choice':
      emitChoice(node.nodes, add, steps)
      break
    case 'repeat':
      emitRepeat(node, add, steps)
      break
  }
}

function emitChoice(nodes: readonly Node[], add: (step: Step) => number, steps: Step[]): void {
  const ends: { next: number }[] = []
  for (const [index, each] of nodes.entries()) {
    const split = index < nodes.length - 1 ? { op: 'split' as const, next: steps.length + 1, other: 0 } : undefined
    if (split !== undefined) add(split)
    emit(each, add, steps)
    const end = { op: 'split' as const, next: 0, other: 0 }
    add(end)
    ends.push(end)
    if (split !== undefined) split.other = steps.length
  }
  for (const end of ends) Object.assign(end, { next: steps.length, other: steps.length })
}

function emitRepeat(
  { node, min, max }: Extract<Node, { type: 'repeat' }>,
  add: (step: Step) => number,
  steps: Step[],
): void {
  for (let count = 0; count < min; count++) emit(node, add, steps)
  if (max === Number.POSITIVE_INFINITY) {
    const split = { op: 'split' as const, next: steps.length + 1, other: 0 }
    const start = add(split)
    emit(node, add, steps)
    add({ op: 'split', next: start, other: start })
    split.other = steps.length
    return
  }
  const splits = Array.from({ length: max - min }, () => {
    const split = { op: 'split' as const, next: steps.length + 1, other: 0 }
    add(split)
    emit(node, add, steps)
    return split
  })
  for (const split of splits) split.other = steps.length
}

/** Whether a pattern matches anywhere in a text. */
export function matches(program: Program, text: string): boolean {
  const characters = Array.from(text)
  let current = new Set<number>()
  for (let at = 0; at <= characters.length; at++) {
    follow(program, 0, characters, at, current)
    const next = new Set<number>()
    for (const index of current) {
      const step = program[index]!
      if (step.op === 'match') return true
      if (step.op === 'character' && at < characters.length && step.test(characters[at]!)) {
        follow(program, step.next, characters, at + 1, next)
      }
    }
    current = next
  }
  return false
}

/** Adds a step and all that can be reached from it without a character. */
function follow(program: Program, from: number, text: readonly string[], at: number, into: Set<number>): void {
  const pending = [from]
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    if (into.has(index)) continue
    into.add(index)
    const step = program[index]!
    if (step.op === 'split') pending.push(step.next, step.other)
    else if (step.op === 'assert' && holds(step.where, text, at)) pending.push(step.next)
  }
}

function holds(where: 'start' | 'end' | 'boundary' | 'inside', text: readonly string[], at: number): boolean {
  if (where === 'start') return at === 0
  if (where === 'end') return at === text.length
  const isBoundary = isWord(text[at - 1]) !== isWord(text[at])
  return where === 'boundary' ? isBoundary : !isBoundary
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /^\w$/.test(character)
}
