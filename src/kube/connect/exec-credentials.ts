import { type Context, isRecord, LadingError, parseJson, runProgram, stringifyJson } from '../../core/index.ts'
import { cancelled } from '../transport/wire-error.ts'
import type { ClusterEntry } from './cluster-entry.ts'
import type { Credentials } from './connection.ts'
import { type CredentialSource, leasedSource } from './credential-source.ts'
import type { ExecEntry } from './exec-entry.ts'
import { bearer } from './header-value.ts'
import type { Environment } from './load-kubeconfig.ts'

/** What an exec credential source needs beside the program itself. */
export interface ExecSurroundings {
  readonly cluster: ClusterEntry
  readonly env: Environment
  /** Whether a person can answer questions on standard input. */
  readonly terminal: boolean
  /** What every request carries whatever the program says. */
  readonly headers: Credentials['headers']
}

/** Credentials from a program, kept until they expire or the API server refuses them. */
export function execCredentials(entry: ExecEntry, around: ExecSurroundings): CredentialSource {
  return leasedSource(async (ctx) => {
    const status = await obtain(entry, around, ctx)
    return { credentials: credentialsOf(entry, status, around.headers), until: expiryOf(entry, status) }
  })
}

/** How long a program may take by itself, and where it may ask a person who has to log in first. */
const programMs = 60_000
const answerMs = 600_000

async function obtain(entry: ExecEntry, around: ExecSurroundings, ctx: Context): Promise<Record<string, unknown>> {
  const interactive = entry.interactive !== 'Never' && around.terminal
  if (entry.interactive === 'Always' && !interactive) throw failed(entry, 'needs a terminal to ask on')
  const spec = { interactive, ...(entry.provideClusterInfo && { cluster: clusterInfo(around.cluster) }) }
  const info = stringifyJson({ kind: 'ExecCredential', apiVersion: entry.apiVersion, spec })
  const env = { ...around.env, ...entry.env, KUBERNETES_EXEC_INFO: info }
  // Its arguments may be secret.
  ctx.log.debug('a credential program is run', { command: entry.command })
  const { command, args } = entry
  const timeoutMs = interactive ? answerMs : programMs
  // What it says on standard error goes to the user, as in kubectl.
  const program = {
    command,
    args,
    env,
    interactive,
    stderr: 'inherit',
    maxOutputBytes: 1024 * 1024,
    timeoutMs,
  } as const
  const outcome = await runProgram(program, ctx).catch((error: unknown) => {
    throw ctx.signal.aborted ? cancelled(ctx.signal.reason) : error
  })
  if (!outcome.ok) throw failed(entry, outcome.problem, outcome.cause)
  let answer: unknown
  try {
    answer = parseJson(outcome.output)
  } catch {
    // The parser's message quotes what it read, which is a credential: it is no cause to keep.
  }
  if (!isRecord(answer) || answer['kind'] !== 'ExecCredential') throw failed(entry, 'printed no ExecCredential')
  if (answer['apiVersion'] !== entry.apiVersion) throw failed(entry, `did not answer in ${entry.apiVersion}`)
  const status = answer['status']
  if (!isRecord(status)) throw failed(entry, 'printed an ExecCredential without status')
  return status
}

function credentialsOf(
  entry: ExecEntry,
  status: Record<string, unknown>,
  headers: Credentials['headers'],
): Credentials {
  const token = textOf(status['token'])
  const cert = textOf(status['clientCertificateData'])
  const key = textOf(status['clientKeyData'])
  if ((cert === undefined) !== (key === undefined)) throw failed(entry, 'gave only one half of certificate and key')
  if (token === undefined && cert === undefined) throw failed(entry, 'gave neither a token nor a client certificate')
  const authorization = token && bearer(token, (problem) => failed(entry, `gave a token that ${problem}`))
  return {
    headers: { ...headers, ...(authorization !== undefined && { authorization }) },
    ...(cert !== undefined && key !== undefined && { cert, key }),
  }
}

function expiryOf(entry: ExecEntry, status: Record<string, unknown>): number {
  const text = textOf(status['expirationTimestamp'])
  if (text === undefined) return Infinity
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw failed(entry, 'gave an expirationTimestamp that is no time')
  return time
}

function clusterInfo(cluster: ClusterEntry): Record<string, unknown> {
  const { server, tls, proxyUrl, execConfig } = cluster
  return {
    server,
    'tls-server-name': tls.serverName,
    ...(tls.insecure === true && { 'insecure-skip-tls-verify': true }),
    ...(tls.ca !== undefined && { 'certificate-authority-data': Buffer.from(tls.ca).toString('base64') }),
    'proxy-url': proxyUrl,
    // The API has null here where the kubeconfig has no such extension.
    config: execConfig ?? null,
  }
}

function failed(entry: ExecEntry, problem: string, cause?: unknown): LadingError {
  const { command, installHint } = entry
  const hint = installHint === undefined ? '' : `: ${installHint}`
  const details = { command, installHint }
  return new LadingError('auth.failed', `the credential program ${command} ${problem}${hint}`, details, { cause })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
