import { type Event, EVENT_ID, getScalarValue, type ScalarEvent, SCALAR_STYLE } from 'js-yaml'
import { type ErrorCode, LadingError, stringifyJson } from '../../../core/index.ts'
import { foldAgain } from './fold-again.ts'
import { notFinite, resolvePlain } from './resolve-plain.ts'
import { copyValue, isMap, isNull, newMap, scalarKind, Spelled, textOf, type Value, type ValueMap } from './value.ts'

interface Frame {
  readonly value: Value[] | ValueMap
  readonly anchor: string | undefined
  readonly start: number
  readonly nodesBefore: number
  key: string | undefined
  isMerge: boolean
  /** What `<<` brings in, first the weakest. */
  merges: ValueMap[]
}

// Aliases may make a document larger, but not by orders of magnitude.
const maxNodes = 10_000_000
const maxAliasShare = 100

/**
 * Builds the first document of parser events; undefined when there is none. Aliases become copies and `<<` is merged with
 * the keys that a mapping gives itself winning wherever they stand, as kyaml does.
 */
export function buildDocument(events: readonly Event[], text: string, maxDepth: number): Value | undefined {
  const frames: Frame[] = []
  const anchors = new Map<string, { value: Value; nodes: number } | undefined>()
  let nodes = 0
  let root: Value | undefined

  const add = (value: Value, at: number): void => {
    const frame = frames.at(-1)
    if (frame === undefined) root = value
    else if (Array.isArray(frame.value)) frame.value.push(value)
    else if (frame.isMerge) addMerge(frame, value, at)
    else addPair(frame, frame.value, value, at)
  }
  const open = (value: Value[] | ValueMap, start: number, anchorStart: number, anchorEnd: number): void => {
    const parent = frames.at(-1)
    if (parent !== undefined && awaitsKey(parent))
      throw problem('yaml.syntax', 'a list or a map cannot be a key', start)
    if (frames.length >= maxDepth) throw problem('yaml.limit', `nested deeper than ${maxDepth} levels`, start)
    const anchor = anchorStart < 0 ? undefined : text.slice(anchorStart, anchorEnd)
    if (anchor !== undefined) anchors.set(anchor, undefined)
    frames.push({ value, anchor, start, nodesBefore: nodes, key: undefined, isMerge: false, merges: [] })
  }

  for (const event of events) {
    nodes++
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- documents only begin; their end is a POP
    switch (event.type) {
      case EVENT_ID.MAPPING:
        open(newMap(), event.start, event.anchorStart, event.anchorEnd)
        break
      case EVENT_ID.SEQUENCE:
        open([], event.start, event.anchorStart, event.anchorEnd)
        break
      case EVENT_ID.SCALAR: {
        const frame = frames.at(-1)
        const value = scalar(event, text)
        if (event.anchorStart >= 0) {
          anchors.set(text.slice(event.anchorStart, event.anchorEnd), { value, nodes: 1 })
        }
        if (frame === undefined || !awaitsKey(frame)) add(value, event.valueStart)
        else setKey(frame, value, event)
        break
      }
      case EVENT_ID.ALIAS: {
        const name = text.slice(event.anchorStart, event.anchorEnd)
        const anchored = anchors.get(name)
        if (anchored === undefined) {
          const why = anchors.has(name) ? 'contains itself' : 'is not defined'
          throw problem('yaml.syntax', `the anchor ${name} ${why}`, event.anchorStart)
        }
        nodes += anchored.nodes
        if (nodes > maxNodes || nodes > maxAliasShare * (events.length + 1000)) {
          throw problem('yaml.limit', 'aliases expand too far', event.anchorStart)
        }
        add(copyValue(anchored.value), event.anchorStart)
        break
      }
      case EVENT_ID.POP: {
        const frame = frames.pop()
        if (frame === undefined) return root
        const value = Array.isArray(frame.value) ? frame.value : merged(frame, frame.value)
        if (frame.anchor !== undefined) anchors.set(frame.anchor, { value, nodes: nodes - frame.nodesBefore })
        add(value, frame.start)
        break
      }
    }
  }
  return root
}

function awaitsKey(frame: Frame): boolean {
  return frame.key === undefined && !frame.isMerge && !Array.isArray(frame.value)
}

function setKey(frame: Frame, value: Value, event: ScalarEvent): void {
  if (value === '<<' && event.style === SCALAR_STYLE.PLAIN && event.tagStart < 0) {
    frame.isMerge = true
    return
  }
  if (isNull(value) || scalarKind(value) !== 'string') {
    const text = stringifyJson(textOf(value))
    throw problem('yaml.syntax', `the key ${text} is no string: quote it`, event.valueStart)
  }
  frame.key = textOf(value)
}

function addPair(frame: Frame, map: ValueMap, value: Value, at: number): void {
  const key = frame.key!
  if (Object.hasOwn(map, key)) {
    throw problem('yaml.duplicate-key', `the key ${stringifyJson(key)} is given twice`, at)
  }
  map[key] = value
  frame.key = undefined
}

function addMerge(frame: Frame, value: Value, at: number): void {
  frame.isMerge = false
  for (const from of (Array.isArray(value) ? value : [value]).toReversed()) {
    if (!isMap(from)) throw problem('yaml.syntax', '<< takes a map or a list of maps', at)
    frame.merges.push(from)
  }
}

function merged(frame: Frame, own: ValueMap): ValueMap {
  // Quoted it is no merge, and kyaml drops it all the same.
  delete own['<<']
  return frame.merges.length === 0 ? own : Object.assign(newMap(), ...frame.merges.map(copyValue), own)
}

function scalar(event: ScalarEvent, text: string): Value {
  const isBlock = event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK
  const content = isBlock ? blockContent(event, text) : getScalarValue(text, event)
  const tag = event.tagStart < 0 ? '' : text.slice(event.tagStart, event.tagEnd)
  const isPlain = tag === '' ? event.style === SCALAR_STYLE.PLAIN : /^!!(?:int|float|bool|null|timestamp)$/.test(tag)
  if (!isPlain) {
    if (!content.isWellFormed()) throw problem('yaml.syntax', 'an escape stands for no character', event.valueStart)
    if (tag === '!!binary') return Buffer.from(content, 'base64').toString()
    if (event.style !== SCALAR_STYLE.FOLDED_BLOCK) return content
    const again = foldAgain(content)
    return again === content ? content : new Spelled(again, content)
  }
  const value = resolvePlain(content)
  if (value === notFinite) throw problem('yaml.number', 'JSON has no infinity and no NaN', event.valueStart)
  return value
}

// go-yaml takes no tab for the first column of a block, and adds no line break that the file does not have at its end.
function blockContent(event: ScalarEvent, text: string): string {
  const content = getScalarValue(text, event)
  const header = text.slice(text.lastIndexOf('\n', event.valueStart - 2) + 1, event.valueStart)
  if (/^\n*\t/.test(content) && !/[|>][-+]?[1-9]/.test(header)) {
    const problemText = 'found a tab character where an indentation space is expected'
    throw problem('yaml.syntax', problemText, event.valueStart)
  }
  const isCut = event.valueEnd >= text.length && !text.endsWith('\n') && content.endsWith('\n')
  return isCut ? content.slice(0, -1) : content
}

function problem(code: ErrorCode, message: string, offset: number): LadingError {
  return new LadingError(code, message, { offset })
}
