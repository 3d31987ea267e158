/** The codes of the distribution specification that this registry answers with, and their HTTP status. */
const statuses = {
  BLOB_UNKNOWN: 404,
  BLOB_UPLOAD_INVALID: 400,
  BLOB_UPLOAD_UNKNOWN: 404,
  DIGEST_INVALID: 400,
  MANIFEST_BLOB_UNKNOWN: 400,
  MANIFEST_INVALID: 400,
  MANIFEST_UNKNOWN: 404,
  NAME_INVALID: 400,
  NAME_UNKNOWN: 404,
  PAGINATION_NUMBER_INVALID: 400,
  RANGE_INVALID: 416,
  SIZE_INVALID: 400,
  TAG_INVALID: 400,
  UNAUTHORIZED: 401,
  DENIED: 403,
  UNSUPPORTED: 405,
} as const

/** A code of the distribution specification. */
export type RegistryErrorCode = keyof typeof statuses

/** A refusal in the distribution specification's form. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly code: RegistryErrorCode
  readonly status: number
  readonly detail: unknown
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: RegistryErrorCode,
    message: string,
    options: { detail?: unknown; headers?: Readonly<Record<string, string>>; status?: number } = {},
  ) {
    super(message)
    this.code = code
    this.status = options.status ?? statuses[code]
    this.detail = options.detail
    this.headers = options.headers ?? {}
  }

  /** The body of the answer. */
  toBody(): object {
    const detail = this.detail === undefined ? {} : { detail: this.detail }
    return { errors: [{ code: this.code, message: this.message, ...detail }] }
  }
}
