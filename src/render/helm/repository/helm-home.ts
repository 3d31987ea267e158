import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where Helm keeps what it knows about repositories. */
export interface HelmHome {
  /** repositories.yaml. */
  readonly repositories: string
  /** The folder of the cached indexes. */
  readonly cache: string
  /** The default keyring of `--verify`. */
  readonly keyring: string
}

/** Helm's own places, by the same variables. */
export function helmHome(env: Readonly<Record<string, string | undefined>>): HelmHome {
  const home = given(env['HOME']) ?? homedir()
  const isMac = process.platform === 'darwin'
  const config = folder(env, 'CONFIG', join(home, isMac ? 'Library/Preferences' : '.config'))
  const cache = folder(env, 'CACHE', join(home, isMac ? 'Library/Caches' : '.cache'))
  const gnupg = given(env['GNUPGHOME']) ?? join(home, '.gnupg')
  return {
    repositories: given(env['HELM_REPOSITORY_CONFIG']) ?? join(config, 'repositories.yaml'),
    cache: given(env['HELM_REPOSITORY_CACHE']) ?? join(cache, 'repository'),
    keyring: join(gnupg, 'pubring.gpg'),
  }
}

function folder(env: Readonly<Record<string, string | undefined>>, what: string, usual: string): string {
  return given(env[`HELM_${what}_HOME`]) ?? join(given(env[`XDG_${what}_HOME`]) ?? usual, 'helm')
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text
}
