import type { DetailsOf } from './error-details.ts'
import { errorTable } from './error-table.ts'

/** Every way in which Lading fails; the table of rows is closed, so consumers can switch on it. */
export type ErrorCode = keyof typeof errorTable

/** Details may be left out of a code whose facts are all optional. */
export type DetailsArguments<Code extends ErrorCode> =
  Partial<DetailsOf<Code>> extends DetailsOf<Code>
    ? [details?: DetailsOf<Code>, options?: { cause?: unknown }]
    : [details: DetailsOf<Code>, options?: { cause?: unknown }]

/**
 * The one error that Lading throws. What a code means to HTTP, to a shell and to a person is in the error table; what its
 * details are follows from the code. Details are safe to show: never the value of a Secret, never a token.
 */
export class LadingError<Code extends ErrorCode = ErrorCode, Details = DetailsOf<Code>> extends Error {
  override readonly name = 'LadingError'
  readonly code: Code
  readonly details: Details

  constructor(code: Code, message: string, ...[details, options]: DetailsArguments<Code>) {
    super(message, options ?? {})
    this.code = code
    this.details = (details ?? {}) as Details
  }

  /** Whether the same call may succeed later without a change by the user. */
  get retryable(): boolean {
    return errorTable[this.code].retryable
  }

  /** The JSON that CLI, gateway and MCP show; the cause stays inside. */
  toJSON(): { code: Code; message: string; details: Details; next: string } {
    return { code: this.code, message: this.message, details: this.details, next: errorTable[this.code].next }
  }
}

/** Narrows an unknown failure to a LadingError, optionally of one of the given codes: its details are typed then. */
export function isLadingError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is LadingError<Code> {
  return error instanceof LadingError && (codes.length === 0 || codes.some((code) => code === error.code))
}

/**
 * The error that an aborted signal stands for: the reason itself when the caller gave one of Lading's errors. A signal that
 * aborts because time is over may have a code of its own.
 */
export function abortError(reason: unknown, timeout: ErrorCode = 'cancelled'): LadingError {
  if (reason instanceof LadingError) return reason
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return new LadingError(timeout, 'the time allowed for the operation is over', {}, { cause: reason })
  }
  return new LadingError('cancelled', 'the operation was cancelled', {}, { cause: reason })
}

/** Gives any failure as a LadingError: unexpected ones become `internal`, aborts become `cancelled`. */
export function toLadingError(error: unknown): LadingError {
  if (error instanceof LadingError) return error
  if (error instanceof Error && error.name === 'AbortError') return abortError(error)
  const message = error instanceof Error ? error.message : String(error)
  return new LadingError('internal', message, {}, { cause: error })
}
