import { type ErrorCode, isRecord, LadingError } from '../../core/index.ts'
import { readText, type WireAnswer } from '../../net/index.ts'

const maxErrorBytes = 64 * 1024

/** Registries' own codes (distribution specification, "Error Codes") where they say more than the status. */
const byCode: Readonly<Record<string, ErrorCode>> = {
  UNAUTHORIZED: 'oci.unauthorized',
  DENIED: 'oci.denied',
  NAME_UNKNOWN: 'oci.not-found',
  MANIFEST_UNKNOWN: 'oci.not-found',
  BLOB_UNKNOWN: 'oci.not-found',
  MANIFEST_BLOB_UNKNOWN: 'oci.incomplete',
  MANIFEST_INVALID: 'oci.manifest-invalid',
  DIGEST_INVALID: 'oci.digest-mismatch',
  SIZE_INVALID: 'oci.digest-mismatch',
  NAME_INVALID: 'oci.reference-invalid',
  TAG_INVALID: 'oci.reference-invalid',
  UNSUPPORTED: 'oci.unsupported',
  TOOMANYREQUESTS: 'oci.throttled',
}

const byStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'oci.unauthorized',
  403: 'oci.denied',
  404: 'oci.not-found',
  405: 'oci.unsupported',
  408: 'oci.timeout',
  413: 'oci.too-large',
  429: 'oci.throttled',
}

/** Reads a refusal; `what` says what was asked for, and `redact` takes secrets out of what the registry says. */
export async function answerError(
  answer: WireAnswer,
  what: string,
  redact: (text: string) => string,
): Promise<LadingError> {
  const { status } = answer
  const first = firstError(await readText(answer.body, maxErrorBytes).catch(() => ''))
  const code = first?.code
  const registry = answer.url.host
  const said = first?.message === undefined ? '' : `: ${redact(first.message)}`
  const retryAfter = header(answer, 'retry-after')
  return new LadingError(
    errorCodeOf(status, code),
    `${what}: ${registry} answered ${status}${code === undefined ? '' : ` ${code}`}${said}`,
    { registry, status, code, retryAfter },
  )
}

/** One header of an answer, the first where there are several. */
export function header(answer: Pick<WireAnswer, 'headers'>, name: string): string | undefined {
  const value = answer.headers[name]
  return Array.isArray(value) ? value[0] : value
}

function errorCodeOf(status: number, code: string | undefined): ErrorCode {
  if (status >= 500) return 'oci.server-error'
  if (status === 429) return 'oci.throttled'
  return byCode[code ?? ''] ?? byStatus[status] ?? 'oci.refused'
}

function firstError(text: string): { code: string | undefined; message: string | undefined } | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const errors: unknown = isRecord(value) ? value['errors'] : undefined
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined
  if (!isRecord(first)) return undefined
  const { code, message } = first
  return {
    code: typeof code === 'string' && /^[A-Z_]{1,64}$/.test(code) ? code : undefined,
    message: typeof message === 'string' && message !== '' ? printable(message) : undefined,
  }
}

// A registry's words are somebody else's: one line, printable, and not many of them.
function printable(message: string): string {
  return message.replace(/[^ -~]+/g, ' ').slice(0, 200)
}
