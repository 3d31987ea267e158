import { errorTable } from './error-table.ts'

/** Every way in which Lading fails; the table of rows is closed, so consumers can switch on it. */
export type ErrorCode = keyof typeof errorTable

/** Facts about a failure that are safe to show: never the value of a Secret, never a token. */
export type ErrorDetails = Record<string, unknown>

/** The one error that Lading throws. What a code means to HTTP, to a shell and to a person is in the error table. */
export class LadingError extends Error {
  override readonly name = 'LadingError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options: { cause?: unknown } = {}) {
    super(message, options)
    this.code = code
    this.details = details
  }

  /** Whether the same call may succeed later without a change by the user. */
  get retryable(): boolean {
    return errorTable[this.code].retryable
  }

  /** The JSON that CLI, gateway and MCP show; the cause stays inside. */
  toJSON(): { code: ErrorCode; message: string; details: ErrorDetails; next: string } {
    return { code: this.code, message: this.message, details: this.details, next: errorTable[this.code].next }
  }
}

/** Narrows an unknown failure to a LadingError, optionally of one of the given codes. */
export function isLadingError(error: unknown, ...codes: ErrorCode[]): error is LadingError {
  return error instanceof LadingError && (codes.length === 0 || codes.includes(error.code))
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
