import { type Log, type LogFields, type LogLevel, stringifyJson } from '../../core/index.ts'
import type { Io } from '../io.ts'
import { printLine } from './print-line.ts'

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

/** A log of plain lines on stderr, from a level on; the same warning appears once in a command. */
export function lineLog(from: LogLevel, io: Pick<Io, 'stderr'>): Log {
  const warned = new Set<string>()
  const writer =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (levels.indexOf(level) < levels.indexOf(from)) return
      const pairs = Object.entries(fields).map(([key, value]) => ` ${key}=${stringifyJson(value)}`)
      const line = `${level}: ${message}${pairs.join('')}`
      if (level === 'warn' && warned.has(line)) return
      if (level === 'warn') warned.add(line)
      printLine(io.stderr, line)
    }
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') }
}
