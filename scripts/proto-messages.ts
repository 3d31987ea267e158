import { readdirSync, readFileSync } from 'node:fs'

/** A field of a protobuf message. */
export interface ProtoField {
  readonly number: number
  readonly label: 'optional' | 'repeated' | 'map'
  /** A scalar, or the full name of a message without `k8s.io.`; of a map it is the type of the values. */
  readonly type: string
}

/** How Go writes a field as JSON. */
export interface GoField {
  /** Empty where the fields of the message stand in the one that holds it. */
  readonly jsonName: string
  /** What is left out where it is zero: nothing, scalars only, structs too. */
  readonly omits: 'nothing' | 'scalar' | 'zero'
}

const scalars = new Set(['string', 'bytes', 'bool', 'int32', 'int64', 'double'])

/** The messages of a `generated.proto`, by name without `k8s.io.`. */
export function readProto(file: string): Map<string, ProtoField[]> {
  const text = readFileSync(file, 'utf8').replaceAll(/\/\/.*$/gm, '')
  // Protobuf knows no hyphens; in OpenAPI's names they are.
  const packageName = (/^package k8s\.io\.(\S+);/m.exec(text)?.[1] ?? '').replace('_', '-')
  const messages = new Map<string, ProtoField[]>()
  for (const [, name = '', body = ''] of text.matchAll(/^message (\w+) \{$([^}]*)^\}/gm)) {
    messages.set(
      `${packageName}.${name}`,
      [...body.matchAll(fieldLine)].map((match) => protoField(packageName, match)),
    )
  }
  return messages
}

const fieldLine = /^\s*(optional|repeated|map<string,) ([\w.]+)>? \w+ = (\d+);/gm

function protoField(packageName: string, [line, label = '', type = '', number]: RegExpExecArray): ProtoField {
  if (/^(u?int|float|fixed|sint)/.test(type) && !scalars.has(type)) throw new Error(`no decoder for: ${line}`)
  return {
    number: Number(number),
    label: label === 'optional' || label === 'repeated' ? label : 'map',
    type: scalars.has(type) ? type : fullName(packageName, type),
  }
}

function fullName(packageName: string, type: string): string {
  return type.startsWith('.') ? type.slice('.k8s.io.'.length).replace('_', '-') : `${packageName}.${type}`
}

/** The fields of a package's Go structs by their protobuf numbers. */
export function readGoStructs(folder: string): Map<string, Map<number, GoField>> {
  const structs = new Map<string, Map<number, GoField>>()
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.go') || file.endsWith('_test.go') || file.startsWith('generated.')) continue
    const text = readFileSync(`${folder}/${file}`, 'utf8')
    for (const [, name = '', body = ''] of text.matchAll(/^type (\w+) struct \{$(.*?)^\}/gms)) {
      structs.set(name, goFields(body))
    }
  }
  return structs
}

function goFields(body: string): Map<number, GoField> {
  const fields = new Map<number, GoField>()
  for (const [, type = '', tags = ''] of body.matchAll(/^\t(?:\w+\s+)?([^\s/]\S*)\s+`([^`]*)`/gm)) {
    const number = /protobuf:"\w+,(\d+),/.exec(tags)?.[1]
    const [jsonName = '', ...options] = (/json:"([^"]*)"/.exec(tags)?.[1] ?? '').split(',')
    if (number === undefined || jsonName === '-') continue
    const pointer = type.startsWith('*')
    const omits = pointer
      ? 'nothing'
      : options.includes('omitzero')
        ? 'zero'
        : options.includes('omitempty')
          ? 'scalar'
          : 'nothing'
    fields.set(Number(number), { jsonName, omits })
  }
  return fields
}
