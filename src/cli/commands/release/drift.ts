import { Command } from 'commander'
import { defined, LadingError } from '../../../core/index.ts'
import { addStorageOptions, type StorageOptions, withTimedSession } from '../../connect.ts'
import { endDifferent } from '../../print/differs.ts'
import { follow } from '../../print/follow.ts'
import { addForeignOptions, foreignOptions } from '../../options/foreign-options.ts'
import type { Io } from '../../io.ts'
import { parseDuration } from '../../options/options.ts'
import { printCorrection, printDrift } from '../../print/print-drift.ts'
import { refuseFlags } from '../../options/refuse-flags.ts'
import type { ProgressStyle } from '../../options/release-options.ts'
import { addComponentOptions, isComponentFile } from '../pipeline/build-component.ts'
import type { DriftComponentFlags } from '../pipeline/drift-component.ts'

interface DriftFlags extends StorageOptions, DriftComponentFlags {
  readonly unchanged?: boolean
  readonly progress?: ProgressStyle
}

/** `lading drift`: what others did to a release's objects, and setting it right. */
export function driftCommand(io: Io): Command {
  const command = new Command('drift')
    .description('show what others changed, added or removed of a release since it was applied')
    .argument('<name>', 'name of the release, or a component file (.toml, .yaml, .json)')
    .option('--unchanged', 'also name the objects that did not drift')
  addForeignOptions(addComponentOptions(command))
    .option('--correct', 'show what drifted, then apply what is deployed again, over whoever changed it')
    .option(
      '--timeout <duration>',
      'limit of the whole command, the wait for the lock included (default: 5m)',
      parseDuration,
    )
    .option('--artifact <reference>', 'artifact that a component is to be deployed from; its tag is looked up')
  return addStorageOptions(command)
    .addHelpText(
      'after',
      '\nExit codes: 0 without drift or when all of it was corrected, 2 with drift that stays, another one for a failure.\n\n' +
        'Example:\n  lading drift shop -o json\n  lading drift shop --correct --remove-foreign-fields',
    )
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<DriftFlags>()
      if (options.removeForeignFields === true && options.correct !== true) {
        throw new LadingError('usage.invalid', '--remove-foreign-fields removes them only together with --correct')
      }
      if (isComponentFile(name)) {
        refuseFlags(command, ['--unchanged'], 'drift of a component names the objects that drifted')
        const { driftFromFile } = await import('../pipeline/drift-component.ts')
        if (await driftFromFile(io, name, options)) endDifferent(command)
        return
      }
      refuseFlags(command, componentFlags, `${name} is a release; give a component file`)
      if (await driftOfRelease(io, name, options)) endDifferent(command)
    })
}

/** Says whether drift is left. */
async function driftOfRelease(io: Io, name: string, options: DriftFlags): Promise<boolean> {
  return await withTimedSession(io, options, async ({ engine, namespace, ctx }) => {
    const { correctDrift, drift } = await import('../../../release/index.ts')
    const foreign = foreignOptions(options)
    const report = await drift(engine, { name, namespace }, foreign, ctx)
    if (options.correct !== true) {
      await printDrift(io, options, report)
      return report.drifted
    }
    // A document is printed once, with what was corrected.
    if (options.output === 'table') await printDrift(io, options, report)
    const how = { ...foreign, ...defined({ timeoutMs: options.timeout }) }
    const title = `drift ${namespace}/${name}`
    const { progress } = options
    const correction = await follow(correctDrift(engine, report, how, ctx), { title, progress }, io, ctx)
    await printCorrection(io, options, report, correction)
    return correction.remaining.drifted
  })
}

const componentFlags = [
  '--artifact',
  '--input',
  '--jobs',
  '--jobs-key',
  '--plain-http',
  '--registry-ca',
  '--insecure-skip-tls-verify',
  '--allow-token-host',
]
