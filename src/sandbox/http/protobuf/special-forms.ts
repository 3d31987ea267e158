import { parseJson } from '../../../core/index.ts'
import { malformed, wireFields, type WireField } from './wire.ts'

/** Reads a message whose JSON is not an object with the message's fields; undefined stands for what JSON leaves out. */
export type SpecialForm = (bytes: Uint8Array, nested: Nested) => unknown

/** Reads a message inside of another. */
export type Nested = (message: string, bytes: Uint8Array) => unknown

/** The form of a message that has one. */
export function specialForm(message: string): SpecialForm | undefined {
  return specialForms.get(message)
}

const schemas = 'apiextensions-apiserver.pkg.apis.apiextensions.v1'
const schemaProps = `${schemas}.JSONSchemaProps`
const meta = 'apimachinery.pkg.apis.meta.v1'

const specialForms: ReadonlyMap<string, SpecialForm> = new Map<string, SpecialForm>([
  [`${meta}.Time`, (bytes) => time(bytes, 0)],
  [`${meta}.MicroTime`, (bytes) => time(bytes, 6)],
  [`${meta}.FieldsV1`, embeddedJson],
  [`${meta}.Verbs`, texts],
  ['apimachinery.pkg.runtime.RawExtension', embeddedJson],
  ['apimachinery.pkg.api.resource.Quantity', (bytes) => text(last(bytes, 1)) ?? '0'],
  ['apimachinery.pkg.util.intstr.IntOrString', intOrString],
  ['api.authentication.v1.ExtraValue', texts],
  ['api.authorization.v1.ExtraValue', texts],
  ['api.certificates.v1.ExtraValue', texts],
  [`${schemas}.JSON`, embeddedJson],
  [`${schemas}.JSONSchemaPropsOrBool`, schemaOrBool],
  [`${schemas}.JSONSchemaPropsOrArray`, schemaOrList((item, nested) => nested(schemaProps, bytesOf(item)))],
  [`${schemas}.JSONSchemaPropsOrStringArray`, schemaOrList((item) => text(item))],
])

// Fields: seconds = 1, nanos = 2. The zero time is written as nothing, which JSON shows as null or not at all.
function time(bytes: Uint8Array, digits: number): unknown {
  if (bytes.length === 0) return undefined
  const seconds = signed(last(bytes, 1))
  const nanos = signed(last(bytes, 2))
  if (Math.abs(seconds) > 8.64e12) throw malformed('a time out of range')
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19)
  const fraction = digits === 0 ? '' : `.${String(Math.floor(nanos / 1000)).padStart(digits, '0')}`
  return `${whole}${fraction}Z`
}

function embeddedJson(bytes: Uint8Array): unknown {
  const raw = text(last(bytes, 1))
  if (raw === undefined || raw === '') return undefined
  try {
    return parseJson(raw)
  } catch (cause) {
    if (cause instanceof SyntaxError) throw malformed(`embedded JSON: ${cause.message}`)
    throw cause
  }
}

// Fields: type = 1 (0 is a number), intVal = 2, strVal = 3.
function intOrString(bytes: Uint8Array): unknown {
  return signed(last(bytes, 1)) === 0 ? signed(last(bytes, 2)) : (text(last(bytes, 3)) ?? '')
}

// A list type of its own: items = 1.
function texts(bytes: Uint8Array): unknown {
  return all(bytes, 1).map(text)
}

// Fields: allows = 1, schema = 2.
function schemaOrBool(bytes: Uint8Array, nested: Nested): unknown {
  const schema = last(bytes, 2)
  return schema === undefined ? signed(last(bytes, 1)) !== 0 : nested(schemaProps, bytesOf(schema))
}

// Fields: schema = 1, the list = 2.
function schemaOrList(readItem: (item: Wire, nested: Nested) => unknown): SpecialForm {
  return (bytes, nested) => {
    const schema = last(bytes, 1)
    if (schema !== undefined) return nested(schemaProps, bytesOf(schema))
    return all(bytes, 2).map((item) => readItem(item, nested))
  }
}

type Wire = WireField['value']

function all(bytes: Uint8Array, number: number): Wire[] {
  return [...wireFields(bytes)].filter((field) => field.number === number).map(({ value }) => value)
}

function last(bytes: Uint8Array, number: number): Wire | undefined {
  return all(bytes, number).at(-1)
}

function signed(value: Wire | undefined): number {
  return typeof value === 'bigint' ? Number(BigInt.asIntN(64, value)) : 0
}

function text(value: Wire | undefined): string | undefined {
  return value === undefined ? undefined : Buffer.from(bytesOf(value)).toString('utf8')
}

function bytesOf(value: Wire): Uint8Array {
  if (typeof value === 'bigint') throw malformed('bytes were expected')
  return value
}
