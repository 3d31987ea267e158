import { readFileSync } from 'node:fs'

/** A field of a message, and how JSON shows it. */
export interface ProtobufField {
  /** Undefined where the fields of the message stand in the one that holds it. */
  readonly name: string | undefined
  readonly label: 'optional' | 'repeated' | 'map'
  /** `string`, `int`, `bool`, `bytes`, `double` or the full name of a message; of a map it is the type of the values. */
  readonly type: string
  /** JSON leaves out the zero value: protobuf cannot, for fields that are no pointers in Go. */
  readonly omitsZero: boolean
}

/** The messages that typed clients send built-in kinds as. */
export interface ProtobufTable {
  /** The message of a kind; undefined for kinds that have none. */
  messageOf(apiVersion: string, kind: string): string | undefined
  /** The fields of a message by their numbers. */
  fieldsOf(message: string): ReadonlyMap<number, ProtobufField> | undefined
}

const deleteOptions = 'apimachinery.pkg.apis.meta.v1.DeleteOptions'

/** Reads the table of protobuf messages; each message is looked at when it is first needed. */
export function protobufTable(): ProtobufTable {
  // oxlint-disable-next-line no-restricted-properties -- a data file of this package, without large numbers
  const { packages, messages } = JSON.parse(
    readFileSync(new URL('./data/protobuf.json', import.meta.url), 'utf8'),
  ) as ProtobufData
  const known = new Map<string, ReadonlyMap<number, ProtobufField>>()
  return {
    messageOf(apiVersion, kind) {
      if (kind === 'DeleteOptions') return deleteOptions
      const name = `${Object.hasOwn(packages, apiVersion) ? packages[apiVersion] : ''}.${kind}`
      return Object.hasOwn(messages, name) ? name : undefined
    },
    fieldsOf(message) {
      const text = Object.hasOwn(messages, message) ? messages[message] : undefined
      if (text === undefined) return undefined
      const fields = known.get(message) ?? parseFields(message, text)
      known.set(message, fields)
      return fields
    },
  }
}

interface ProtobufData {
  /** The package of a group version. */
  readonly packages: Readonly<Record<string, string>>
  /** Fields as `scripts/generate-protobuf.ts` writes them. */
  readonly messages: Readonly<Record<string, string>>
}

function parseFields(message: string, text: string): ReadonlyMap<number, ProtobufField> {
  const inPackage = message.slice(0, message.lastIndexOf('.') + 1)
  const fields = text === '' ? [] : text.split(';')
  return new Map(
    fields.map((field) => {
      const [number, name = '', form = ''] = field.split(' ')
      const type = form.replace(/^[*%]/, '').replace(/\?$/, '')
      return [
        Number(number),
        {
          name: name === '=' ? undefined : name,
          label: form.startsWith('*') ? 'repeated' : form.startsWith('%') ? 'map' : 'optional',
          type: /^[A-Z]\w*$/.test(type) ? inPackage + type : type,
          omitsZero: form.endsWith('?'),
        },
      ]
    }),
  )
}
