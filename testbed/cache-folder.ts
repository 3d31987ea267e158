import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folder outside the repository that keeps built programs and the state of a testbed left running. */
export function cacheFolder(): string {
  const root = process.env['LADING_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'lading')
  return join(root, 'testbed')
}
