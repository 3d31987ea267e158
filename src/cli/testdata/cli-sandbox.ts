import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import { type CliResult, type CliWorld, runCli } from './run-cli.ts'

/** A folder in which command lines are run against a sandbox. */
export interface CliSandbox {
  readonly sandbox: Sandbox
  readonly cwd: string
  /** The namespace of the commands that name none. */
  namespace: string
  write(name: string, text: string): void
  /** Runs a command line, given as one text without quotes. */
  lading(command: string, world?: Partial<CliWorld>): Promise<CliResult>
  close(): Promise<void>
}

/** Starts a sandbox for command lines. */
export async function openCliSandbox(): Promise<CliSandbox> {
  const cwd = mkdtempSync(join(tmpdir(), 'lading-cli-'))
  const sandbox = await startSandbox({ kubeconfig: join(cwd, 'kubeconfig') })
  const cli: CliSandbox = {
    sandbox,
    cwd,
    namespace: 'default',
    write: (name, text) => writeFileSync(join(cwd, name), text),
    lading(command, world = {}) {
      // Jobs and kustomizations name their namespaces themselves.
      const own = command.includes(' -n ') || /^(?:build|jobs|runner) /.test(command) ? [] : ['-n', cli.namespace]
      return runCli({ cwd, ...world }, ...command.split(' '), ...own, '--kubeconfig', 'kubeconfig')
    },
    async close() {
      await sandbox.stop()
      rmSync(cwd, { recursive: true })
    },
  }
  return cli
}
