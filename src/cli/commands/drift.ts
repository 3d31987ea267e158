import { Command } from 'commander'
import { addStorageOptions, type StorageOptions, withSession } from '../connect.ts'
import { endDifferent } from '../different.ts'
import type { Io } from '../io.ts'
import { printDiff } from '../print-diff.ts'
import { addComponentOptions, isComponentFile } from './build-component.ts'
import type { DriftComponentFlags } from './drift-component.ts'

interface DriftFlags extends StorageOptions, DriftComponentFlags {
  readonly unchanged?: boolean
}

/** `lading drift`: what others did to a release's objects. */
export function driftCommand(io: Io): Command {
  const command = new Command('drift')
    .description('show what others changed or removed of a release since it was applied')
    .argument('<name>', 'name of the release, or a component file (.toml, .yaml, .json)')
    .option('--unchanged', 'also name the objects that did not drift')
  addComponentOptions(command)
    .option('--correct', 'apply what is deployed of a component again, over whoever changed it')
    .option('--artifact <reference>', 'artifact that a component is to be deployed from; its tag is looked up')
  return addStorageOptions(command)
    .addHelpText(
      'after',
      '\nExit codes: 0 without drift, 2 with drift, another one for a failure.\n\nExample:\n  lading drift shop -o json',
    )
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<DriftFlags>()
      if (isComponentFile(name)) {
        const { driftComponent } = await import('./drift-component.ts')
        if (await driftComponent(io, name, options)) endDifferent(command)
        return
      }
      const drifted = await withSession(io, options, async ({ engine, namespace, ctx }) => {
        const { drift } = await import('../../release/index.ts')
        const report = await drift(engine, { name, namespace }, ctx)
        await printDiff(io, options, report, report.objects)
        return report.drifted
      })
      if (drifted) endDifferent(command)
    })
}
