/** The line on which a field of a TOML text stands, counted from 1: of its key, or of the nearest table around it that is written. */
export function tomlLineOf(text: string, path: readonly (string | number)[]): number {
  let best = { depth: 0, line: 1 }
  const wanted = path.map(String)
  for (const { steps, line } of keysOf(text)) {
    const depth = commonSteps(steps, wanted)
    // A header opens what stands in it: only as much of it as leads to the field counts.
    if (depth === steps.length && depth > best.depth) best = { depth, line }
  }
  return best.line
}

interface TomlKey {
  readonly steps: readonly string[]
  readonly line: number
}

/** Every key and every header of a text that was already read without an error. */
function* keysOf(text: string): Generator<TomlKey> {
  const counts = new Map<string, number>()
  let table: string[] = []
  let open: OpenValue = { depth: 0 }
  for (const [index, whole] of text.split('\n').entries()) {
    const line = index + 1
    if (open.depth > 0 || open.quote !== undefined) {
      open = scan(whole, open)
      continue
    }
    const header = /^\s*(\[\[?)\s*([^\]]+?)\s*\]/.exec(whole)
    if (header !== null) {
      table = splitKey(header[2]!)
      if (header[1] === '[[') {
        const name = table.join('\n')
        const nth = counts.get(name) ?? 0
        counts.set(name, nth + 1)
        table = [...table, String(nth)]
      }
      yield { steps: table, line }
      continue
    }
    const pair =
      /^\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+))*)\s*=(.*)$/s.exec(
        whole,
      )
    if (pair === null) continue
    yield { steps: [...table, ...splitKey(pair[1]!)], line }
    open = scan(pair[2]!, { depth: 0 })
  }
}

/** A value that goes on over the end of its line: brackets that are open, or a text of several lines. */
interface OpenValue {
  readonly depth: number
  readonly quote?: '"""' | "'''"
}

function scan(line: string, from: OpenValue): OpenValue {
  let { depth } = from
  let { quote } = from
  for (let at = 0; at < line.length; at++) {
    const three = line.slice(at, at + 3)
    if (quote !== undefined) {
      if (quote === '"""' && line[at] === '\\') at++
      else if (three === quote) {
        quote = undefined
        at += 2
      }
    } else if (three === '"""' || three === "'''") {
      quote = three
      at += 2
    } else if (line[at] === '"' || line[at] === "'") at = endOfText(line, at)
    else if (line[at] === '#') break
    else if (line[at] === '[' || line[at] === '{') depth++
    else if (line[at] === ']' || line[at] === '}') depth--
  }
  return quote === undefined ? { depth } : { depth, quote }
}

function endOfText(line: string, start: number): number {
  const mark = line[start]
  for (let at = start + 1; at < line.length; at++) {
    if (mark === '"' && line[at] === '\\') at++
    else if (line[at] === mark) return at
  }
  return line.length
}

function splitKey(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
}

function commonSteps(steps: readonly string[], wanted: readonly string[]): number {
  let depth = 0
  while (depth < steps.length && depth < wanted.length && steps[depth] === wanted[depth]) depth++
  return depth
}
