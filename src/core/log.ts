/** What a log line may carry; never a Secret's value or a credential. */
export type LogFields = Record<string, unknown>

/** The little that Lading needs of a logger. */
export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** Severity of a log line, lowest first. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** A log that keeps nothing. */
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore }

/** A log of JSON lines on the given stream, written by pino, which is loaded only here. */
export async function jsonLog(level: LogLevel, stream: { write(line: string): void }): Promise<Log> {
  const { pino } = await import('pino')
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream)
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  }
}

function ignore(): void {
  // A silent log is for callers that did not ask for one.
}
