import { Command, Option } from 'commander'
import { defined } from '../../../core/index.ts'
import type { Io } from '../../io.ts'
import { collect, type GlobalOptions, wholeNumber } from '../../options/options.ts'
import { printData } from '../../print/print-data.ts'
import { sandboxFaultsCommand } from './sandbox-faults.ts'

/** `lading sandbox`: a cluster for this machine, with nothing installed. */
export function sandboxCommand(io: Io): Command {
  return new Command('sandbox')
    .description('run a Kubernetes API on this machine, for trying out and for tests')
    .addHelpText('after', '\nExample:\n  lading sandbox start --kubeconfig sandbox.kubeconfig')
    .addCommand(startCommand(io))
    .addCommand(sandboxFaultsCommand(io))
}

interface StartOptions extends GlobalOptions {
  readonly port?: number
  readonly persist?: string
  readonly registryPort?: number
  readonly nodes?: number
  readonly simulate?: readonly ('flux' | 'service-templates')[]
  readonly seed?: number
}

function startCommand(io: Io): Command {
  return new Command('start')
    .description('start a sandbox, write a kubeconfig for it, and run until interrupted')
    .option('--port <number>', 'port on 127.0.0.1 (default: a free one)', wholeNumber)
    .option('--persist <dir>', 'keep everything in this folder, and go on from there next time')
    .option(
      '--registry-port <number>',
      'also run an OCI registry on this port of 127.0.0.1, 0 for a free one',
      wholeNumber,
    )
    .option('--nodes <number>', 'how many nodes take Pods', wholeNumber)
    .addOption(
      new Option('--simulate <name>', 'foreign controllers to stand in for; may be repeated')
        .choices(['flux', 'service-templates'])
        .argParser(collect),
    )
    .option('--seed <number>', 'decides which requests faults strike', wholeNumber)
    .addHelpText(
      'after',
      '\n--kubeconfig says where the kubeconfig is written (default: a temporary folder).\n\n' +
        'Example:\n  lading sandbox start --port 6443 --persist .sandbox --kubeconfig sandbox.kubeconfig',
    )
    .action(async (_options, command: Command) => {
      const { output, kubeconfig, registryPort, port, persist, nodes, simulate, seed } =
        command.optsWithGlobals<StartOptions>()
      const { startSandbox } = await import('../../../sandbox/index.ts')
      const sandbox = await startSandbox(
        defined({
          port,
          persist,
          kubeconfig,
          nodes,
          simulate,
          seed,
          registry: registryPort === undefined ? undefined : { port: registryPort },
        }),
      )
      try {
        const data = {
          url: sandbox.url,
          kubeconfig: sandbox.kubeconfig,
          ...defined({ registry: sandbox.registry?.host }),
        }
        const columns = ['url', 'kubeconfig', ...(sandbox.registry === undefined ? [] : ['registry' as const])] as const
        await printData(io, output, data, { rows: [data as Required<typeof data>], columns: [...columns] })
        io.stderr.write('The sandbox runs until it is interrupted.\n')
        await interrupted(io.signal)
      } finally {
        await sandbox.stop()
      }
    })
}

/** Resolves when the user has enough: that is how a sandbox ends, and no failure. */
function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
