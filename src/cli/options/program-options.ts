import type { Command } from 'commander'
import { defined, LadingError } from '../../core/index.ts'
import type { ProgramOptions } from '../../release/index.ts'
import { pathFrom } from '../connect.ts'
import type { Io } from '../io.ts'
import { collect, parseDuration } from './options.ts'

/** Flags of what a program may do. */
export interface ProgramFlags {
  readonly programAllowNet?: boolean
  readonly programEnv?: readonly string[]
  readonly programRead?: readonly string[]
  readonly programTimeout?: number
}

/** Declares what a program may do beside computing. */
export function addProgramOptions(command: Command): Command {
  return command
    .option('--program-allow-net', 'let a program use the network')
    .option('--program-env <name>', 'environment variable that a program sees; may be repeated', collect)
    .option('--program-read <dir>', 'folder that a program may read beside its own package; may be repeated', collect)
    .option('--program-timeout <duration>', 'how long a program may take (default: 1m)', parseDuration)
}

/** What flags let a program do; undefined if they say nothing about programs. */
export function programOptions(io: Io, flags: ProgramFlags): ProgramOptions | undefined {
  const { programAllowNet: net, programEnv, programRead, programTimeout: timeoutMs } = flags
  const env = programEnv && Object.fromEntries(programEnv.map((name) => [name, variable(io, name)]))
  const read = programRead?.map((folder) => pathFrom(io, folder))
  const options = defined({ net, env, read, timeoutMs })
  return Object.keys(options).length === 0 ? undefined : options
}

function variable({ env }: Io, name: string): string {
  const value = env[name]
  if (value !== undefined) return value
  throw new LadingError('usage.invalid', `--program-env ${name}: there is no such environment variable`, { name })
}
