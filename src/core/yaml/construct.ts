import { type Event, EVENT_ID, getScalarValue, type ScalarEvent, SCALAR_STYLE } from 'js-yaml'
import type { ErrorCode, LadingError } from '../errors.ts'
import { isRecord, stringifyJson } from '../json/json.ts'
import { type AliasBudget, chargeAlias } from './alias-budget.ts'
import { keyOf, setOwn } from './map-key.ts'
import { errorAt, lineAndColumn, type Source } from './place.ts'
import { inexactInteger, type Resolved, resolvePlain } from './resolve-scalar.ts'
import { notOfTag, resolveTagged, shortTag } from './resolve-tagged.ts'

/** One document of a stream. */
export interface YamlDocument {
  readonly value: unknown
  /** Which document of the input it is, empty ones included, counted from 1. */
  readonly index: number
  /** The line on which its content begins, counted from 1. */
  readonly line: number
}

const notText = Symbol('not text')

interface Frame {
  readonly value: unknown[] | Record<string, unknown>
  readonly anchor: string | undefined
  readonly nodesBefore: number
  /** The key that waits for its value. */
  key: string | undefined
  keyAt: number
  isMerge: boolean
  /** Keys that came by `<<` and that the mapping may still give itself. */
  merged: Set<string> | undefined
}

interface Anchored {
  readonly value: unknown
  readonly nodes: number
}

/** How scalars and keys are read. */
export interface Reading {
  readonly lenient?: boolean
  readonly openEnd?: boolean
}

/** Builds the values of parser events under Kubernetes' reading of YAML; `firstIndex` numbers the first document. */
export function constructDocuments(
  events: readonly Event[],
  source: Source,
  firstIndex: number,
  maxDepth: number,
  reading: Reading = {},
): YamlDocument[] {
  const documents: YamlDocument[] = []
  let at = 0
  while (at < events.length) {
    const constructor = new DocumentConstructor(source, firstIndex + documents.length, maxDepth, reading)
    at = constructor.run(events, at)
    documents.push(constructor.document())
  }
  return documents
}

class DocumentConstructor {
  readonly #source: Source
  readonly #index: number
  readonly #maxDepth: number
  readonly #lenient: boolean
  readonly #openEnd: boolean
  readonly #frames: Frame[] = []
  readonly #anchors = new Map<string, Anchored | undefined>()
  readonly #handles = new Map<string, string>()
  readonly #budget: AliasBudget = { nodes: 0, fromAliases: 0 }
  #root: unknown = null
  #start = -1

  constructor(source: Source, index: number, maxDepth: number, { lenient = false, openEnd = false }: Reading) {
    this.#source = source
    this.#index = index
    this.#maxDepth = maxDepth
    this.#lenient = lenient
    this.#openEnd = openEnd
  }

  document(): YamlDocument {
    return { value: this.#root, index: this.#index, line: lineAndColumn(this.#source, this.#start).line }
  }

  /** Consumes the events of one document and returns where the next begins. */
  run(events: readonly Event[], from: number): number {
    for (let at = from; at < events.length; at++) {
      const event = events[at]!
      switch (event.type) {
        case EVENT_ID.DOCUMENT:
          for (const directive of event.directives) {
            if (directive.kind === 'tag') this.#handles.set(directive.handle, directive.prefix)
          }
          break
        case EVENT_ID.SCALAR:
          this.#scalar(event)
          break
        case EVENT_ID.MAPPING:
          this.#open({}, event.start, event.anchorStart, event.anchorEnd)
          break
        case EVENT_ID.SEQUENCE:
          this.#open([], event.start, event.anchorStart, event.anchorEnd)
          break
        case EVENT_ID.ALIAS:
          this.#alias(event.anchorStart, this.#source.text.slice(event.anchorStart, event.anchorEnd))
          break
        case EVENT_ID.POP:
          if (this.#frames.length === 0) return at + 1
          this.#close()
          break
      }
    }
    return events.length
  }

  #open(value: Frame['value'], start: number, anchorStart: number, anchorEnd: number): void {
    this.#begin(start)
    const frame = this.#frames.at(-1)
    if (frame !== undefined && awaitsKey(frame))
      throw this.#error('yaml.syntax', 'a list or a map cannot be a key', start)
    if (this.#frames.length >= this.#maxDepth) {
      throw this.#error('yaml.limit', `nested deeper than ${this.#maxDepth} levels`, start)
    }
    const anchor = anchorStart < 0 ? undefined : this.#source.text.slice(anchorStart, anchorEnd)
    if (anchor !== undefined) this.#anchors.set(anchor, undefined)
    const nodesBefore = this.#budget.nodes - 1
    this.#frames.push({ value, anchor, nodesBefore, key: undefined, keyAt: start, isMerge: false, merged: undefined })
  }

  #close(): void {
    const { value, anchor, nodesBefore } = this.#frames.pop()!
    if (anchor !== undefined) this.#anchors.set(anchor, { value, nodes: this.#budget.nodes - nodesBefore })
    this.#add(value)
  }

  #scalar(event: ScalarEvent): void {
    this.#begin(event.valueStart)
    const frame = this.#frames.at(-1)
    const text = this.#text(event)
    const tag = event.tagStart < 0 ? '' : this.#source.text.slice(event.tagStart, event.tagEnd)
    const isKey = frame !== undefined && awaitsKey(frame)
    if (isKey && text === '<<' && this.#isMerge(tag, event)) {
      frame.isMerge = true
      frame.keyAt = event.valueStart
      return
    }
    const value = this.#resolve(text, tag, event)
    if (event.anchorStart >= 0) {
      this.#anchors.set(this.#source.text.slice(event.anchorStart, event.anchorEnd), { value, nodes: 1 })
    }
    if (isKey) this.#setKey(frame, value, text, event.valueStart)
    else this.#add(this.#finite(value, event.valueStart))
  }

  #text(event: ScalarEvent): string {
    const text = getScalarValue(this.#source.text, event)
    return this.#openEnd && text.endsWith('\n') && isCutOff(this.#source.text, event) ? text.slice(0, -1) : text
  }

  #isMerge(tag: string, event: ScalarEvent): boolean {
    return tag === '' ? event.style === SCALAR_STYLE.PLAIN : shortTag(tag, this.#handles) === 'merge'
  }

  #resolve(text: string, tag: string, event: ScalarEvent): unknown {
    const resolved = this.#resolveRaw(text, tag, event)
    if (resolved === notText) throw this.#error('yaml.syntax', 'an escape stands for no character', event.valueStart)
    if (resolved === notOfTag) {
      throw this.#error('yaml.syntax', `the value does not fit its tag ${tag}`, event.valueStart)
    }
    if (resolved === inexactInteger) {
      if (this.#lenient) return Number(text.replaceAll('_', ''))
      throw this.#error('yaml.number', 'the integer does not fit into 64 bits', event.valueStart)
    }
    return resolved
  }

  #resolveRaw(text: string, tag: string, event: ScalarEvent): Resolved | typeof notOfTag | typeof notText {
    // JSON text is Unicode: half of a surrogate pair, written as an escape, is no character.
    if (!event.fast && event.style === SCALAR_STYLE.DOUBLE_QUOTED && !text.isWellFormed()) return notText
    if (tag === '') return event.style === SCALAR_STYLE.PLAIN ? resolvePlain(text) : text
    return tag === '!' ? text : resolveTagged(shortTag(tag, this.#handles), text)
  }

  #alias(at: number, name: string): void {
    const frame = this.#frames.at(-1)
    const anchored = this.#anchors.get(name)
    if (anchored === undefined) {
      const problem = this.#anchors.has(name)
        ? `the anchor ${name} contains itself`
        : `the anchor ${name} is not defined`
      throw this.#error('yaml.syntax', problem, at)
    }
    if (!chargeAlias(this.#budget, anchored.nodes)) throw this.#error('yaml.limit', 'aliases expand too far', at)
    if (frame !== undefined && awaitsKey(frame)) this.#setKey(frame, anchored.value, String(anchored.value), at)
    // A copy, so that changing one place later does not change the other.
    else this.#add(copy(this.#finite(anchored.value, at)))
  }

  #setKey(frame: Frame, value: unknown, text: string, at: number): void {
    frame.key = keyOf(value, text)
    frame.keyAt = at
    if (frame.key === undefined) {
      throw this.#error('yaml.syntax', `${value === null ? 'null' : 'a list or a map'} cannot be a key`, at)
    }
  }

  #add(value: unknown): void {
    const frame = this.#frames.at(-1)
    if (frame === undefined) this.#root = value
    else if (Array.isArray(frame.value)) frame.value.push(value)
    else if (frame.isMerge) this.#merge(frame, frame.value, value)
    else this.#setPair(frame, frame.value, value)
  }

  #setPair(frame: Frame, record: Record<string, unknown>, value: unknown): void {
    const key = frame.key!
    if (!this.#lenient && Object.hasOwn(record, key) && frame.merged?.delete(key) !== true) {
      throw this.#error('yaml.duplicate-key', `the key ${stringifyJson(key)} is given twice`, frame.keyAt, key)
    }
    setOwn(record, key, value)
    frame.key = undefined
  }

  // go-yaml v2 merges where `<<` stands: keys after it win over it, and it wins over keys before. In a list the first wins.
  #merge(frame: Frame, record: Record<string, unknown>, value: unknown): void {
    frame.isMerge = false
    for (const from of (Array.isArray(value) ? value : [value]).toReversed()) {
      if (!isRecord(from)) throw this.#error('yaml.syntax', '<< takes a map or a list of maps', frame.keyAt)
      for (const [key, merged] of Object.entries(from)) {
        if (!Object.hasOwn(record, key)) (frame.merged ??= new Set()).add(key)
        setOwn(record, key, merged)
      }
    }
  }

  #begin(at: number): void {
    this.#budget.nodes++
    if (this.#start < 0) this.#start = at
  }

  #finite(value: unknown, at: number): unknown {
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw this.#error('yaml.number', 'JSON has no infinity and no NaN', at)
    }
    return value
  }

  #error(code: ErrorCode, problem: string, at: number, key?: string): LadingError {
    const field = fieldPath(this.#frames, key)
    const { file } = this.#source
    const place = { document: this.#index, ...lineAndColumn(this.#source, at) }
    return errorAt(code, problem, {
      file,
      ...place,
      ...(field === '' ? {} : { field }),
    })
  }
}

/** Whether the text ends within the last line of a block scalar, without a line break. */
function isCutOff(text: string, { style, valueEnd, indent }: ScalarEvent): boolean {
  const isBlock = style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK
  if (!isBlock || valueEnd < text.length) return false
  return text.length - 1 - Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) > indent
}

function awaitsKey(frame: Frame): boolean {
  return frame.key === undefined && !frame.isMerge && !Array.isArray(frame.value)
}

function fieldPath(frames: readonly Frame[], key: string | undefined): string {
  let path = ''
  for (const frame of frames) {
    if (Array.isArray(frame.value)) path += `[${frame.value.length}]`
    else if (frame.key !== undefined) path += path === '' ? frame.key : `.${frame.key}`
  }
  return key === undefined || frames.at(-1)?.key === key ? path : `${path}.${key}`
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  if (!isRecord(value)) return value
  const record: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) setOwn(record, key, copy(item))
  return record
}
