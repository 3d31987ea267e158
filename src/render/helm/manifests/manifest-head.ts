import { isLadingError, LadingError } from '../../../core/index.ts'
import { parseDocuments, type YamlDocument } from '../../../core/yaml/index.ts'
import { FieldMismatch, FieldReader } from '../chart/decode-fields.ts'

/** What Helm looks at in a document, and the whole of it. */
export interface ManifestHead {
  readonly kind: string
  readonly name: string
  readonly annotations: Readonly<Record<string, string>>
  /** The whole document: its value is a map, or null where it holds comments only. */
  readonly document: YamlDocument
}

/** Reads the head of a rendered document; what is no YAML, or no map, is refused with the template's name. */
export function readHead(text: string, path: string): ManifestHead {
  try {
    const document = parseDocuments(text, { file: path, lenient: true })[0] ?? { value: null, index: 1, line: 1 }
    const { value } = document
    const fields = new FieldReader(value, '', 'util.SimpleHead')
    fields.text('apiVersion')
    const kind = fields.text('kind')
    const metadata = new FieldReader(fields.raw('metadata'), '.metadata', 'struct')
    return { kind, name: metadata.text('name'), annotations: metadata.textMap('annotations') ?? {}, document }
  } catch (error) {
    throw headError(error, path)
  }
}

function headError(error: unknown, path: string): unknown {
  const details = { template: path }
  if (error instanceof FieldMismatch) {
    const problem = `YAML parse error on ${path}: error unmarshaling JSON: while decoding JSON: ${error.message}`
    return new LadingError('chart.template', problem, details, { cause: error })
  }
  if (!isLadingError(error)) return error
  const problem = `YAML parse error on ${path}: error converting YAML to JSON: ${error.message}`
  return new LadingError('chart.template', problem, { ...error.details, ...details }, { cause: error })
}
