import { decodeText, parseDocuments } from '../../../core/yaml/index.ts'
import { isRecord, LadingError } from '../../../core/index.ts'
import { mergeValues } from './merge-values.ts'
import { newValues, toValues, type Values } from './values.ts'

/** Reads a values file as Helm does: of several documents the later win, map by map; numbers are floats. */
export function readValues(content: string | Uint8Array, file = 'values.yaml'): Values {
  const text = typeof content === 'string' ? content : decodeText(content, file)
  let values = newValues()
  for (const { value, line } of parseDocuments(text, { file, lenient: true })) {
    if (value === null) continue
    if (!isRecord(value)) {
      throw new LadingError('values.invalid', `${file}: line ${line}: values must be a map`, { file, line })
    }
    values = mergeValues(values, toValues(floatsOnly(value)))
  }
  return values
}

// JSON made of YAML has no integers in Go: what core keeps exact as a bigint is a float64 there.
function floatsOnly(value: Record<string, unknown>): Record<string, unknown> {
  return floats(value) as Record<string, unknown>
}

function floats(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(floats)
  if (!isRecord(value)) return value
  for (const key of Object.keys(value)) {
    const item = value[key]
    if (typeof item === 'bigint' || typeof item === 'object') value[key] = floats(item)
  }
  return value
}
