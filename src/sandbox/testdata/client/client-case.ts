import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { context, refOf } from '../../../core/index.ts'
import { connect, createObject, deleteObject } from '../../../kube/index.ts'
import type { NpmClients } from '../../../../testbed/npm-clients.ts'

/** What a command did. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A command line that ran, for comparison between clusters. */
export interface TranscriptEntry extends Outcome {
  readonly line: string
}

/** How to run one command. */
export interface CommandOptions {
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  /** Keeps the output out of the transcript, where clusters rightly differ. */
  readonly own?: boolean
}

/** Runs a program with words that are separated by a space each, or given one by one. */
export type Run = (line: string | readonly string[], options?: CommandOptions) => Promise<Outcome>

/** Real clients, bound to a cluster, to one namespace of the case and to a folder. */
export interface Client {
  readonly namespace: string
  /** Unique within the run; for the names of cluster-scoped objects. */
  readonly unique: string
  readonly folder: string
  readonly transcript: readonly TranscriptEntry[]
  readonly kubectl: Run
  readonly helm: Run
  /** Starts kubectl and gives its lines of output as they come; ended by leaving the loop. */
  readonly follow: (line: string) => AsyncGenerator<string>
  /** Writes a file below the case's folder and gives its path. */
  readonly file: (name: string, content: string) => Promise<string>
}

/** One thing that users do with a client. */
export interface ClientCase {
  readonly name: string
  /** Why it runs on the sandbox only. */
  readonly sandboxOnly?: string
  /** Runs in e2e alone, over the sandbox and a real API server side by side: each kubectl costs a tenth of a second of processor time. */
  readonly e2eOnly?: true
  run(client: Client): Promise<void>
}

/** Runs a case in a namespace and a folder of its own, which are gone afterwards; gives what the commands printed. */
export async function runClientCase(
  one: ClientCase,
  clients: NpmClients,
  kubeconfig: string,
  unique: string,
): Promise<readonly TranscriptEntry[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lading-client-'))
  const client = clientIn(folder, clients, kubeconfig, unique)
  const ctx = context()
  await using cluster = await connect({ kubeconfig }, ctx)
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: unique } }
  try {
    await createObject(cluster, namespace, {}, ctx)
    await one.run(client)
    return client.transcript
  } finally {
    await deleteObject(cluster, refOf(namespace), {}, ctx)
    await rm(folder, { recursive: true })
  }
}

/** What a command printed; throws what it said when it failed. */
export async function expectOk(running: Promise<Outcome>): Promise<string> {
  const { code, stdout, stderr } = await running
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}${stdout}`)
  return stdout
}

/** Runs a command, out of the transcript, until it prints what is wanted: events, addresses and rights come when those who write or cache them do. */
export async function expectSoon(run: Run, line: string, wanted: RegExp): Promise<void> {
  const deadline = Date.now() + 120_000
  for (;;) {
    const { stdout, stderr } = await run(line, { own: true })
    if (wanted.test(stdout)) return
    if (Date.now() > deadline) throw new Error(`${line} never printed ${String(wanted)}: ${stderr}${stdout}`)
  }
}

/** What a command said when it failed; throws when it did not. */
export async function expectFailure(running: Promise<Outcome>, wanted = 1): Promise<string> {
  const { code, stdout, stderr } = await running
  if (code !== wanted) throw new Error(`exit code ${code} instead of ${wanted}: ${stdout}${stderr}`)
  return stderr
}

function clientIn(folder: string, clients: NpmClients, kubeconfig: string, unique: string): Client {
  const transcript: TranscriptEntry[] = []
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    KUBECONFIG: kubeconfig,
    KUBECACHEDIR: join(folder, '.cache'),
    HELM_NAMESPACE: unique,
  }
  const run = async (program: string, line: string | readonly string[], options: CommandOptions): Promise<Outcome> => {
    const args = typeof line === 'string' ? line.split(' ') : line
    const all = program === clients.kubectl ? ['--namespace', unique, ...args] : [...args]
    const outcome = await runProgram(program, all, { ...options, env: { ...env, ...options.env } }, folder)
    if (options.own !== true) transcript.push({ line: args.join(' '), ...outcome })
    return outcome
  }
  return {
    namespace: unique,
    unique,
    folder,
    transcript,
    kubectl: (line, options = {}) => run(clients.kubectl, line, options),
    helm: (line, options = {}) => run(clients.helm, line, options),
    follow: (line) => followLines(clients.kubectl, ['--namespace', unique, ...line.split(' ')], env, folder),
    async file(name, content) {
      const path = join(folder, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content, { mode: 0o755 })
      return path
    },
  }
}

function runProgram(
  program: string,
  args: readonly string[],
  options: CommandOptions,
  folder: string,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env: { ...options.env } })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.on('error', reject)
    child.on('close', (code) =>
      resolve({ code: code ?? -1, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    )
    // A program that ends without reading is no error of ours.
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.stdin ?? '')
  })
}

async function* followLines(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  folder: string,
): AsyncGenerator<string> {
  const child = spawn(program, args, { cwd: folder, env: { ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    let rest = ''
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      const lines = `${rest}${chunk.toString()}`.split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    child.kill()
  }
}
