import { EVENT_ID, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml'

/**
 * Where a text ends inside of a block (`|`, `>`) and without a line break, go-yaml gives the block none either; this says so in
 * the block's header, for readers that add one. Kustomize trims inline patches, so that they end that way.
 */
export function stripLastBlock(text: string): string {
  if (text.endsWith('\n') || !/[|>][-+0-9]*[ \t]*(?:#.*)?\n/.test(text)) return text
  const last = scalarsOf(text).at(-1)
  const isBlock = last?.style === SCALAR_STYLE.LITERAL_BLOCK || last?.style === SCALAR_STYLE.FOLDED_BLOCK
  if (last === undefined || !isBlock || last.valueEnd < text.length) return text
  const start = text.lastIndexOf('\n', last.valueStart - 2) + 1
  const header = text.slice(start, last.valueStart)
  const stripped = header.replace(/([|>])([-+]?)([1-9]?)([-+]?)(?=[ \t]*(?:#.*)?\n?$)/, '$1$3-')
  return `${text.slice(0, start)}${stripped}${text.slice(last.valueStart)}`
}

function scalarsOf(text: string) {
  try {
    return parseEvents(text, { maxDepth: 1002 }).filter((event) => event.type === EVENT_ID.SCALAR)
  } catch (error) {
    // Whoever reads the text says what is wrong with it.
    if (error instanceof YAMLException) return []
    throw error
  }
}
