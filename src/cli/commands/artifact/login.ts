import { Command } from 'commander'
import { context, LadingError } from '../../../core/index.ts'
import type { Io } from '../../io.ts'
import { lineLog } from '../../print/line-log.ts'
import { printData } from '../../print/print-data.ts'
import { readText } from '../../files/read-text.ts'
import { addRegistryOptions, type RegistryFlags, registryOptions } from '../../options/registry-options.ts'

/** `lading login`: credentials for a registry, kept where docker keeps them. */
export function loginCommand(io: Io): Command {
  const command = new Command('login')
    .description('log in to a registry; the password comes by standard input and is kept where docker keeps it')
    .argument('<registry>', 'HOST[:PORT]')
    .requiredOption('-u, --username <name>', 'name of the user')
    .requiredOption('--password-stdin', 'read the password from standard input')
  return addRegistryOptions(command)
    .addHelpText('after', '\nExample:\n  lading login registry.example -u me --password-stdin < token')
    .action(async (registry: string, _options, command: Command) => {
      const options = command.optsWithGlobals<RegistryFlags & { username: string }>()
      const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
      const password = (await readText(io, '-')).replace(/\r?\n$/, '')
      if (password === '') throw new LadingError('usage.invalid', 'standard input holds no password')
      const { login } = await import('../../../oci/index.ts')
      const { credentials: _, ...how } = await registryOptions(io, options)
      const row = await login(registry, { username: options.username, password }, { ...how, env: { ...io.env } }, ctx)
      await printData(io, options.output, row, { rows: [row], columns: ['registry', 'keptBy'] })
    })
}

/** `lading logout`: forgets the credentials of a registry. */
export function logoutCommand(io: Io): Command {
  return new Command('logout')
    .description('forget the credentials of a registry')
    .argument('<registry>', 'HOST[:PORT]')
    .addHelpText('after', '\nExample:\n  lading logout registry.example')
    .action(async (registry: string, _options, command: Command) => {
      const options = command.optsWithGlobals<RegistryFlags>()
      const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
      const { logout } = await import('../../../oci/index.ts')
      const row = { registry, removed: await logout(registry, { env: { ...io.env } }, ctx) }
      await printData(io, options.output, row, { rows: [row], columns: ['registry', 'removed'] })
    })
}
