import { Command } from 'commander'
import { formatRef, LadingError } from '../../../core/index.ts'
import { addStorageOptions, type StorageOptions, withTimedSession } from '../../connect.ts'
import { follow } from '../../print/follow.ts'
import type { Io } from '../../io.ts'
import { parseDuration } from '../../options/options.ts'
import { printData } from '../../print/print-data.ts'
import { addProgressOption, type RunFlags, runOptions } from '../../options/release-options.ts'

/** `lading test`: runs the tests that a release brings. */
export function testCommand(io: Io): Command {
  const command = new Command('test')
    .description('run the test hooks of a release; ends with the code of a failing one')
    .argument('<name>', 'name of the release')
    .option(
      '--timeout <duration>',
      'limit of all tests together, the wait for the lock included (default: 5m)',
      parseDuration,
    )
  return addStorageOptions(addProgressOption(command))
    .addHelpText('after', '\nExample:\n  lading test shop --timeout 2m')
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<StorageOptions & RunFlags>()
      await withTimedSession(io, options, async ({ engine, namespace, ctx }) => {
        const { testRelease } = await import('../../../release/index.ts')
        const events = testRelease(engine, { name, namespace }, runOptions(options), ctx)
        const shown = { title: `test ${namespace}/${name}`, progress: options.progress }
        const report = await follow(events, shown, io, ctx)
        const rows = report.tests.map(({ ref, result, message }) => ({ test: formatRef(ref), result, message }))
        await printData(io, options.output, report, { rows, columns: ['test', 'result', 'message'] })
        if (!report.passed) {
          const failures = report.tests
            .filter(({ result }) => result === 'failed')
            .map(({ ref, message, log }) => ({ ref, message, log }))
          const text = `tests of release ${namespace}/${name} failed`
          throw new LadingError('hook.failed', text, { name, namespace, failures })
        }
      })
    })
}
