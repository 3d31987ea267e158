import { type Command } from 'commander'
import { LadingError } from '../../core/index.ts'
import type { OpenRemote, RemoteOptions } from '../../release/index.ts'
import type { Io } from '../io.ts'
import { collect } from './options.ts'
import type { RegistryFlags } from './registry-options.ts'

/** Flags of what a kustomization may fetch. */
export interface RemoteFlags {
  readonly allowRemote?: readonly string[]
  readonly allowUnpinned?: boolean
}

/** Declares what a kustomization may fetch from other hosts. */
export function addRemoteOptions(command: Command): Command {
  return command
    .option(
      '--allow-remote <host>',
      'host from which a kustomization may fetch remote bases, files and charts; HOST or HOST:PORT, may be repeated',
      collect,
    )
    .option(
      '--allow-unpinned',
      'fetch branches of remote bases, and chart versions that are not exact, as they are now',
    )
}

/** What flags let a kustomization fetch; undefined where they allow no host. */
export function remoteOptions({ allowRemote, allowUnpinned }: RemoteFlags): RemoteOptions | undefined {
  if (allowRemote === undefined && allowUnpinned === true) {
    throw new LadingError('usage.invalid', '--allow-unpinned is about hosts that are allowed: give --allow-remote too')
  }
  if (allowRemote === undefined) return undefined
  return { hosts: allowRemote, ...(allowUnpinned === true ? { allowUnpinned } : {}) }
}

/** Reaches other hosts as it is done for charts; nothing is loaded before a kustomization asks. */
export function openRemote(io: Io, flags: RegistryFlags): OpenRemote {
  return async (options) => {
    const [{ remoteFetcher }, { chartAccess }] = await Promise.all([
      import('../../release/index.ts'),
      import('./chart-options.ts'),
    ])
    return remoteFetcher(options, await chartAccess(io, flags))
  }
}
