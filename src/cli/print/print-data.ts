import { stringifyJson } from '../../core/index.ts'
import type { Io } from '../io.ts'
import type { OutputFormat } from '../options/options.ts'
import { formatTable, type Table } from './print-table.ts'

/** Prints a command's data on stdout in the format that was asked for. */
export async function printData<Row extends object>(
  io: Io,
  format: OutputFormat,
  data: unknown,
  table: Table<Row>,
): Promise<void> {
  await printDocument(io, format, data, () => formatTable(table))
}

/** As `printData`, for data that people read as a text and not as rows. */
export async function printDocument(
  io: Io,
  format: OutputFormat,
  data: unknown,
  text: () => string | Promise<string>,
): Promise<void> {
  switch (format) {
    case 'json':
      io.stdout.write(`${stringifyJson(data, 2)}\n`)
      return
    case 'yaml': {
      const { writeYaml } = await import('../../core/yaml/index.ts')
      io.stdout.write(writeYaml(data))
      return
    }
    case 'table':
      io.stdout.write(await text())
  }
}
