import { homedir } from 'node:os'
import { configPaths, readConfig } from './config-file.ts'
import type { CredentialSource } from './credential.ts'
import { helperFor, matchAuth, serverKey } from './match-auth.ts'
import { getFromHelper } from './run-helper.ts'

/** Whose logins are used. */
export interface DockerConfigOptions {
  /** The environment that names config files and that helpers run in (default: that of this process). */
  readonly env?: NodeJS.ProcessEnv
  readonly home?: string
}

/** The logins of docker, podman, oras and Lading itself: config files, and the credential helpers that they name. */
export function dockerCredentials(options: DockerConfigOptions = {}): CredentialSource {
  const { env = process.env, home = env['HOME'] || homedir() } = options
  return async (wanted, ctx) => {
    for (const path of configPaths(env, home)) {
      const config = await readConfig(path)
      if (config === undefined) continue
      const helper = helperFor(config, wanted.registry)
      const kept = helper === undefined ? undefined : await getFromHelper(helper, serverKey(wanted.registry), env, ctx)
      const found = kept ?? matchAuth(config, wanted)
      if (found !== undefined) return found
    }
    return undefined
  }
}
