import { type GroupVersionKind, stringifyJson } from '../../../core/index.ts'
import type { ResourceType } from '../../resource-type.ts'

/** The media type that client-go asks for at `/openapi/v2`, and the one without its `@` that it can read in an answer. */
export const swaggerProtobufTypes = {
  asked: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  answered: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
}

/**
 * The OpenAPI v2 document as client-go reads it (`openapi.v2.Document` of gnostic), with what it still looks for there: which
 * kinds take `fieldValidation` in a PATCH. Types are not in it; kubectl then leaves their validation to the server.
 */
export function swaggerProtobuf(version: string, types: readonly ResourceType[]): Uint8Array {
  const paths = types.filter(({ verbs }) => verbs.includes('patch')).map(pathOf)
  const info = message(text(1, 'Kubernetes'), text(2, version))
  return message(text(1, '2.0'), bytes(2, info), bytes(8, message(...paths.map((path) => bytes(2, path)))))
}

function pathOf(type: ResourceType): Uint8Array {
  const prefix = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`
  const home = type.namespaced ? '/namespaces/{namespace}' : ''
  return message(text(1, `${prefix}${home}/${type.resource}/{name}`), bytes(2, bytes(8, patchOf(type))))
}

function patchOf({ group, version, kind }: GroupVersionKind): Uint8Array {
  const query = message(text(2, 'query'), text(4, 'fieldValidation'), text(6, 'string'))
  // ParametersItem, Parameter, NonBodyParameter: each has one of several.
  const parameter = bytes(1, bytes(2, bytes(3, query)))
  const gvk = message(
    text(1, 'x-kubernetes-group-version-kind'),
    bytes(2, text(2, stringifyJson({ group, kind, version }))),
  )
  return message(bytes(8, parameter), bytes(13, gvk))
}

function text(field: number, value: string): Uint8Array {
  return bytes(field, Buffer.from(value))
}

function bytes(field: number, value: Uint8Array): Uint8Array {
  return message(varint(field * 8 + 2), varint(value.length), value)
}

function message(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts)
}

function varint(value: number): Uint8Array {
  const encoded: number[] = []
  let rest = value
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) encoded.push((rest % 128) | 0x80)
  return Uint8Array.of(...encoded, rest)
}
