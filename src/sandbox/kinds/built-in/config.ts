import { isDeepStrictEqual } from 'node:util'
import { isDataKey, type KubeObject, parseJson } from '../../../core/index.ts'
import type { Cause } from '../../status-error.ts'
import { partOf } from '../../object-parts.ts'
import { forbiddenField, immutable, invalidValue, required } from '../causes.ts'
import type { Family } from '../family.ts'
import { ensurePart, textOf } from '../read.ts'

/** Namespaces, ConfigMaps and Secrets. */
export const config: Family = {
  kinds: {
    '/Namespace': {
      prepareCreate(namespace) {
        ensurePart(namespace, 'spec')['finalizers'] = ['kubernetes']
        namespace['status'] = { phase: 'Active' }
      },
      // Finalizers of the spec go by the finalize subresource only.
      prepareUpdate(namespace, old) {
        namespace['spec'] = old['spec']
      },
    },
    '/ConfigMap': {
      validate: (map, old) => [...validateKeys(map), ...validateFrozen(map, old, ['data', 'binaryData'])],
    },
    '/Secret': {
      validate: (secret, old) => [
        ...(old !== undefined && old['type'] !== secret['type']
          ? [invalidValue('type', secret['type'], immutable)]
          : []),
        ...validateFrozen(secret, old, ['data']),
        ...validateKeys(secret),
        ...validateSecretType(secret),
      ],
    },
  },
}

function validateKeys(object: KubeObject): Cause[] {
  const causes: Cause[] = []
  const data = partOf(object, 'data')
  const binary = partOf(object, 'binaryData')
  let size = 0
  for (const part of ['data', 'binaryData']) {
    for (const [key, value] of Object.entries(partOf(object, part))) {
      // The limit is on what the base64 of the JSON stands for.
      const encoding = part === 'binaryData' || object.kind === 'Secret' ? 'base64' : 'utf8'
      size += Buffer.byteLength(String(value), encoding)
      if (!isDataKey(key)) causes.push(invalidValue(`${part}[${key}]`, key, keyMessage))
    }
  }
  for (const key of Object.keys(binary)) {
    if (key in data) causes.push(invalidValue(`data[${key}]`, key, `duplicate of key present in binaryData`))
  }
  if (size > 1_048_576)
    causes.push({
      reason: 'FieldValueTooLong',
      message: 'Too long: may not be more than 1048576 bytes',
      field: sizeField(object),
    })
  return causes
}

function sizeField(object: KubeObject): string {
  return object.kind === 'Secret' ? 'data' : ''
}

const keyMessage = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"

function validateFrozen(object: KubeObject, old: KubeObject | undefined, fields: readonly string[]): Cause[] {
  if (old?.['immutable'] !== true) return []
  const frozen = 'field is immutable when `immutable` is set'
  const changed = fields.filter((field) => !isDeepStrictEqual(object[field] ?? {}, old[field] ?? {}))
  const thawed = object['immutable'] === true ? [] : [forbiddenField('immutable', frozen)]
  return [...thawed, ...changed.map((field) => forbiddenField(field, frozen))]
}

/** What a type of Secret promises to hold. */
const promised: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
}

function validateSecretType(secret: KubeObject): Cause[] {
  const type = textOf(secret, 'type')
  const data = partOf(secret, 'data')
  if (type === 'kubernetes.io/service-account-token') {
    const account = secret.metadata.annotations?.['kubernetes.io/service-account.name'] ?? ''
    return account === '' ? [required('metadata.annotations[kubernetes.io/service-account.name]')] : []
  }
  if (type === 'kubernetes.io/basic-auth') {
    const named = 'username' in data || 'password' in data
    return named ? [] : [required('data[username]'), required('data[password]')]
  }
  const causes = (promised[type] ?? []).filter((key) => !(key in data)).map((key) => required(`data[${key}]`))
  for (const key of ['.dockerconfigjson', '.dockercfg']) {
    const given = data[key]
    if (!(promised[type] ?? []).includes(key) || typeof given !== 'string') continue
    // The value is a credential: it is not repeated.
    if (!isJson(Buffer.from(given, 'base64').toString())) {
      causes.push(invalidValue(`data[${key}]`, '<secret contents redacted>', 'invalid JSON'))
    }
  }
  return causes
}

function isJson(text: string): boolean {
  try {
    parseJson(text)
    return true
  } catch {
    return false
  }
}
