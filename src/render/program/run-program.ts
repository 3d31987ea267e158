import { syncBuiltinESMExports } from 'node:module'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { ProgramInput } from './define-source.ts'
import { collectOutput } from './child/collect-output.ts'
import { denyMachine } from './child/deny-machine.ts'
import { denyNetwork } from './child/deny-network.ts'
import { failureOf } from './child/failure-of.ts'
import { fixWorld } from './child/fix-world.ts'
import { guardFiles } from './child/guard-files.ts'
import type { CheckedValues, ProgramMessage, ProgramOrder, ProgramResult } from './child/messages.ts'
import { ownFiles } from './child/own-files.ts'
import { isStandardSchema, parseValues } from './child/parse-values.ts'
import { plainData } from './child/plain-data.ts'
import { resolveModules } from './child/resolve-modules.ts'

// The first and only thing that the worker does: it renders one program.
const order = workerData as ProgramOrder
const port = parentPort!
// Taken now, and its own: the program may change JSON, and this process loads nothing else of Lading.
const json = JSON as typeof JSON & { rawJSON(text: string): unknown }
// oxlint-disable-next-line eslint/no-restricted-properties
const stringify = json.stringify.bind(json)
const rawJson = json.rawJSON.bind(json)
const tell = port.postMessage.bind(port) as (message: ProgramMessage) => void
const answered = new Promise<CheckedValues>((resolve) => port.once('message', resolve))
port.unref()

const files = new Set<string>()
const note = (path: string): void => void files.add(path)
resolveModules(order.modules, note)
const used = fixWorld(order)
denyMachine()
if (!order.allowNet) denyNetwork()
const own = ownFiles(order.file, note)
guardFiles(note)
syncBuiltinESMExports()

try {
  await render()
} catch (error) {
  tell({ type: 'failure', failure: failureOf(error) })
}

async function render(): Promise<void> {
  const { default: definition } = (await import(pathToFileURL(order.file).href)) as { default?: unknown }
  if (definition === undefined) throw new TypeError('it has no default export')
  const parsed = await valuesOf(definition)
  if ('issues' in parsed) {
    tell({ type: 'issues', text: written(parsed.issues) })
    return
  }
  const { release, capabilities } = order
  const input = { values: parsed.value, release, capabilities, files: own } as unknown as ProgramInput
  const { pieces, notes } = await collectOutput(outputOf(definition, input))
  const result: ProgramResult = {
    pieces,
    values: recorded(parsed.value),
    ...used,
    files: [...files],
    ...(notes === undefined ? {} : { notes }),
  }
  tell({ type: 'result', text: written(result) })
}

async function valuesOf(definition: unknown): Promise<Awaited<ReturnType<typeof parseValues>>> {
  const schema = isDefinition(definition) ? definition.values : undefined
  if (schema === undefined) return { value: order.values }
  if (isStandardSchema(schema)) return parseValues(schema, order.values)
  tell({ type: 'schema', text: written(plainData(schema, 'values')) })
  port.ref()
  const { values } = await answered
  port.unref()
  return { value: values }
}

function outputOf(definition: unknown, input: ProgramInput): unknown {
  if (isDefinition(definition)) return definition.render(input)
  return typeof definition === 'function' ? (definition as (input: ProgramInput) => unknown)(input) : definition
}

interface Definition {
  readonly values?: unknown
  render(input: ProgramInput): unknown
}

function isDefinition(value: unknown): value is Definition {
  return typeof value === 'object' && value !== null && 'render' in value && typeof value.render === 'function'
}

/** The values as a record keeps them; what a schema turned into something else than data is recorded as it was given. */
function recorded(values: unknown): Readonly<Record<string, unknown>> {
  try {
    return plainData(values, 'values') as Record<string, unknown>
  } catch {
    return order.values
  }
}

function written(value: unknown): string {
  return stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? rawJson(item.toString()) : item))
}
