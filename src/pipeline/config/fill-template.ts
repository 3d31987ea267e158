import { randomBytes } from 'node:crypto'
import { defined, isLadingError, LadingError } from '../../core/index.ts'
import { replaceScalars, type YamlScalar } from '../../core/yaml/index.ts'
import { type GoMap, type PrintAction, TemplateSet } from '../../render/gotemplate/index.ts'
import type { InputValue } from './input-value.ts'
import { fromGo, Inputs, raw, RawText, UndeclaredInput } from './template-inputs.ts'

/** The inputs that a text may name, and what the text is called in errors. */
export interface Filling {
  readonly inputs: Readonly<Record<string, InputValue>>
  readonly component: string
  /** The file that the text stands in. */
  readonly file: string
  /** The field of the component file that holds the text, where it is not a whole file. */
  readonly field?: string
}

/** Fills inputs into a text that is no YAML. */
export function fillText(text: string, filling: Filling): string {
  return text.includes('{{') ? execute(text, filling, undefined) : text
}

/**
 * Fills inputs into a manifest. Templates print placeholders, the YAML is read with those, and only then values take the places of whole
 * scalars or parts of them: whatever a value holds, it adds no field and no document.
 */
export function fillManifest(text: string, filling: Filling): string {
  if (!text.includes('{{')) return text
  const inserted: Inserted[] = []
  const nonce = randomBytes(12).toString('hex')
  const print: PrintAction = (value, place) => {
    if (value instanceof RawText) return value.text()
    inserted.push({ ...place, value: fromGo(value) })
    return `x${nonce}n${inserted.length - 1}z`
  }
  const template = execute(text, filling, print)
  if (inserted.length === 0) return template
  const placeholder = new RegExp(`x${nonce}n(\\d+)z`, 'g')
  const filled = replaceScalars(template, (scalar) => fillScalar(scalar, placeholder, inserted, filling), {
    file: filling.field === undefined ? filling.file : `${filling.field} of ${filling.file}`,
  })
  return filled.replaceAll(placeholder, (_all, index: string, at: number) => {
    const { source, line } = inserted[Number(index)]!
    if (!/(?:^|[\n\r\t ])#[^\n\r]*$/.test(filled.slice(filled.lastIndexOf('\n', at) + 1, at))) {
      throw refusal(filling, line, `${source} stands where YAML has no value`)
    }
    // A comment keeps the reference: nobody reads its value there.
    return source.replaceAll(/[\r\n]/g, ' ')
  })
}

interface Inserted {
  readonly value: unknown
  readonly source: string
  readonly line: number
}

function fillScalar(
  { text, isKey, isPlain }: YamlScalar,
  placeholder: RegExp,
  inserted: readonly Inserted[],
  filling: Filling,
): { readonly value: unknown } | undefined {
  const found = [...text.matchAll(placeholder)]
  if (found.length === 0) return undefined
  const values = found.map(([, index]) => inserted[Number(index)]!)
  const [first] = values as [Inserted]
  if (isKey) {
    const raw = `{{raw ${first.source.replace(/^\{\{|\}\}$/g, '')}}}`
    throw refusal(filling, first.line, `${first.source} stands in a key: write ${raw} where its text is to be YAML`)
  }
  if (isPlain && found[0]![0] === text) return { value: first.value }
  return {
    value: text.replaceAll(placeholder, (_all, index: string) => {
      const { value, source, line } = inserted[Number(index)]!
      if (typeof value !== 'object' || value === null) return String(value)
      throw refusal(
        filling,
        line,
        `${source} is a ${Array.isArray(value) ? 'list' : 'map'}, which cannot be part of a text`,
      )
    }),
  }
}

/** Far more than a manifest needs, and less than a second. */
const maxSteps = 1_000_000

function execute(text: string, filling: Filling, print: PrintAction | undefined): string {
  const limits = { maxSteps }
  const set = new TemplateSet({ functions: { raw }, missingKey: 'error', limits, ...defined({ print }) })
  const data: GoMap = Object.assign(Object.create(null) as GoMap, { inputs: new Inputs(filling.inputs) })
  try {
    set.parse('manifest', text)
    return set.execute('manifest', data)
  } catch (error) {
    if (!isLadingError(error)) throw error
    throw placedError(error, filling)
  }
}

function placedError(error: LadingError, filling: Filling): LadingError {
  const { component, inputs } = filling
  const line = error.details.line ?? 1
  if (error.cause instanceof UndeclaredInput) {
    const { input } = error.cause
    return refusal(filling, line, `component ${component} declares no input ${input}`, { input, cause: error })
  }
  // Go quotes the value that cannot be used.
  const values = Object.values(inputs).filter((value) => typeof value === 'string' && value.length > 3) as string[]
  const reason = error.message.replace(/^template: manifest:\d+(?::\d+)?: (?:executing "manifest" at )?/, '')
  return refusal(
    filling,
    line,
    values.reduce((message, value) => message.replaceAll(value, '***'), reason),
  )
}

function refusal(
  { component, file, field }: Filling,
  line: number,
  problem: string,
  { input, cause }: { readonly input?: string; readonly cause?: unknown } = {},
): LadingError {
  const details = { component, file, line, ...defined({ field, input }) }
  const place = field === undefined ? `${file}:${line}` : `${file}: line ${line} of ${field}`
  return new LadingError('config.invalid', `${place}: ${problem}`, details, { cause })
}
