import { type Event, EVENT_ID, getScalarValue, parseEvents } from 'js-yaml'
import { lineAndColumn } from './place.ts'

/**
 * The line on which a field of a YAML or JSON text stands, counted from 1: of its key, or of the nearest field around it
 * that the text has. The text is one that was already read without an error.
 */
export function lineOf(text: string, path: readonly (string | number)[]): number {
  const source = { text, file: undefined, firstLine: 1 }
  const events = parseEvents(text, { maxDepth: 1002 })
  let best = { depth: 0, at: 0 }
  walk(text, events, { path, depth: 0 }, (depth, at) => {
    if (depth > best.depth) best = { depth, at }
  })
  return lineAndColumn(source, best.at).line
}

interface Search {
  readonly path: readonly (string | number)[]
  /** How many steps of the path lead here; -1 beside the path. */
  readonly depth: number
}

/** Visits the nodes of the first document, and reports each one that is a step of the path. */
function walk(
  text: string,
  events: readonly Event[],
  search: Search,
  found: (depth: number, at: number) => void,
): void {
  const first = events[0]?.type === EVENT_ID.DOCUMENT ? 1 : 0
  visit(first, search.depth)

  function visit(at: number, depth: number): number {
    const event = events[at]
    if (event === undefined) return events.length
    if (event.type === EVENT_ID.MAPPING) return visitMapping(at + 1, depth)
    if (event.type === EVENT_ID.SEQUENCE) return visitSequence(at + 1, depth)
    return at + 1
  }

  function visitMapping(from: number, depth: number): number {
    let at = from
    while (at < events.length && events[at]!.type !== EVENT_ID.POP) {
      const key = events[at]!
      const next = visit(at, -1)
      const isStep =
        depth >= 0 && key.type === EVENT_ID.SCALAR && getScalarValue(text, key) === String(search.path[depth])
      if (isStep && key.type === EVENT_ID.SCALAR) found(depth + 1, key.valueStart)
      at = visit(next, isStep ? depth + 1 : -1)
    }
    return at + 1
  }

  function visitSequence(from: number, depth: number): number {
    let at = from
    for (let index = 0; at < events.length && events[at]!.type !== EVENT_ID.POP; index++) {
      const item = events[at]!
      const isStep = depth >= 0 && search.path[depth] === index
      if (isStep) found(depth + 1, startOf(item))
      at = visit(at, isStep ? depth + 1 : -1)
    }
    return at + 1
  }
}

function startOf(event: Event): number {
  switch (event.type) {
    case EVENT_ID.SCALAR:
      return event.valueStart
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return event.start
    case EVENT_ID.ALIAS:
      return event.anchorStart
    default:
      return 0
  }
}
