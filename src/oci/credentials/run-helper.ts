import { type Context, isRecord, LadingError, runProgram } from '../../core/index.ts'
import { cancelled } from '../registry/network/wire-error.ts'
import type { Credential } from './credential.ts'

const timeoutMs = 60_000
const maxOutputBytes = 256 * 1024
/** The protocol's own word for "none"; helpers have no other way to say it. */
const notFound = 'credentials not found in native keychain'

/** What a credential helper is asked to do (docker-credential-helpers, "Development"). */
export type HelperCommand = 'get' | 'store' | 'erase'

/** Whether a text can name a helper: one that cannot is never run. */
function isHelperName(name: string): boolean {
  return /^[a-z0-9._-]+$/.test(name)
}

/** Asks a helper for the credential of a registry. */
export async function getFromHelper(
  name: string,
  server: string,
  env: NodeJS.ProcessEnv,
  ctx: Context,
): Promise<Credential | undefined> {
  const output = await runHelper(name, 'get', server, env, ctx)
  if (output === undefined) return undefined
  const { Username: username, Secret: secret } = parse(output) ?? {}
  if (typeof username !== 'string' || typeof secret !== 'string') throw helperError(name, 'get', 'gave no credential')
  if (username === '' && secret === '') return undefined
  // Helpers mark identity tokens by this name.
  return username === '<token>' ? { refreshToken: secret } : { username, password: secret }
}

/** Runs `docker-credential-NAME` without a shell; undefined where it has no such credential. */
export async function runHelper(
  name: string,
  command: HelperCommand,
  input: string,
  env: NodeJS.ProcessEnv,
  ctx: Context,
): Promise<string | undefined> {
  if (!isHelperName(name)) throw helperError(name, command, 'is no name of a helper')
  if (ctx.signal.aborted) throw cancelled(ctx.signal.reason)
  const program = { command: `docker-credential-${name}`, args: [command], input, env, stderr: 'ignore' } as const
  const outcome = await runProgram({ ...program, timeoutMs, maxOutputBytes }, ctx).catch((error: unknown) => {
    throw ctx.signal.aborted ? cancelled(ctx.signal.reason) : error
  })
  if (outcome.ok) return outcome.output
  if (outcome.output.trim() === notFound) return undefined
  // Neither its output nor its error output is shown, nor kept as the cause: both may hold secrets.
  throw helperError(name, command, outcome.problem === 'was not found' ? 'is not installed' : outcome.problem)
}

function helperError(name: string, command: HelperCommand, what: string): LadingError {
  const shown = isHelperName(name) ? name : JSON.stringify(name.slice(0, 100))
  const message = `the credential helper docker-credential-${shown} ${what} (${command})`
  return new LadingError('oci.credential-helper', message, { helper: shown, command })
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
