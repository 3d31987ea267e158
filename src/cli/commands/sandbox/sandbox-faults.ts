import { Command, InvalidArgumentError, Option } from 'commander'
import { context, defined, isRecord } from '../../../core/index.ts'
import type { Io } from '../../io.ts'
import type { GlobalOptions } from '../../options/options.ts'
import { printData } from '../../print/print-data.ts'

/** `lading sandbox faults`: makes requests to a running sandbox go wrong. */
export function sandboxFaultsCommand(io: Io): Command {
  return new Command('faults')
    .description('make requests to a running sandbox go wrong, and right again')
    .addHelpText('after', '\nExample:\n  lading sandbox faults add conflict --verb patch --percentage 30')
    .addCommand(addCommand(io))
    .addCommand(listCommand(io))
    .addCommand(clearCommand(io))
}

const kinds = ['latency', 'throttle', 'error', 'reset', 'hang', 'conflict', 'gone', 'drop-watch']

function addCommand(io: Io): Command {
  return new Command('add')
    .description(`set a fault: ${kinds.join(', ')}`)
    .argument('<fault>', 'what goes wrong')
    .option('--verb <verbs>', 'verbs that it strikes, with commas between; `read` and `write` for all of a sort')
    .option('--resource <name>', 'resource, such as configmaps, deployments.apps or deployments.apps/status')
    .option('--object-namespace <name>', 'namespace of the requests')
    .option('--name <name>', 'name of the object')
    .option('--path <regex>', 'regular expression for the path')
    .option('--percentage <number>', 'how many of the matching requests, in percent', number)
    .option('--after <number>', 'let so many matching requests pass first', number)
    .option('--count <number>', 'strike at most so often', number)
    .addOption(
      new Option('--when <moment>', '`after`: carry the request out and lose the answer').choices(['before', 'after']),
    )
    .option('--ms <number>', 'milliseconds of latency, or until a watch is dropped', number)
    .option('--retry-after-seconds <number>', 'what a throttled client is asked to wait', number)
    .option('--code <number>', 'status of an error', number)
    .option('--events <number>', 'events until a watch is dropped', number)
    .addHelpText(
      'after',
      '\nExample:\n  lading sandbox faults add hang --verb write --after 10\n' +
        '  lading sandbox faults add throttle --verb patch --resource configmaps --retry-after-seconds 2 --count 3',
    )
    .action(async (fault: string, options: Record<string, unknown>, command: Command) => {
      const { objectNamespace: namespace, ...rest } = options
      const body = { fault, ...rest, namespace }
      const set = await control(io, command, 'POST', 'faults', body)
      await print(io, command, set, [set])
    })
}

function listCommand(io: Io): Command {
  return new Command('list')
    .description('list the faults that are set, with how often they matched and struck')
    .addHelpText('after', '\nExample:\n  lading sandbox faults list -o json')
    .action(async (_options, command: Command) => {
      const { faults } = (await control(io, command, 'GET', 'faults')) as { faults: object[] }
      await print(io, command, faults, faults)
    })
}

function clearCommand(io: Io): Command {
  return new Command('clear')
    .description('take back one fault, or all')
    .argument('[id]', 'number of the fault', number)
    .addHelpText('after', '\nExample:\n  lading sandbox faults clear 2')
    .action(async (id: number | undefined, _options, command: Command) => {
      const left = (await control(io, command, 'DELETE', 'faults', undefined, id)) as { faults: object[] }
      await print(io, command, left.faults, left.faults)
    })
}

async function control(
  io: Io,
  command: Command,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  id?: number,
): Promise<Record<string, unknown>> {
  const { kubeconfig, context: name } = command.optsWithGlobals<GlobalOptions>()
  const { connect } = await import('../../../kube/index.ts')
  const ctx = context({ signal: io.signal })
  const where = {
    ...defined({ kubeconfig, context: name }),
  }
  const cluster = await connect({ ...where, env: io.env }, ctx)
  try {
    const query = id === undefined ? {} : { query: { id } }
    const content = body === undefined ? {} : { body }
    const answer = await cluster.transport.request({ method, path: `/_sandbox/${path}`, ...query, ...content }, ctx)
    return isRecord(answer.body) ? answer.body : {}
  } finally {
    await cluster.close()
  }
}

async function print(io: Io, command: Command, data: unknown, faults: readonly object[]): Promise<void> {
  const { output } = command.optsWithGlobals<GlobalOptions>()
  const rows = faults as readonly Record<string, unknown>[]
  const columns = ['id', 'fault', 'verb', 'resource', 'percentage', 'count', 'matched', 'struck']
  await printData(io, output, data, { rows, columns })
}

function number(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new InvalidArgumentError('expected a number.')
  return value
}
