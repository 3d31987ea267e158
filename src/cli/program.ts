import { Command } from 'commander'
import { applyCommand } from './commands/release/apply.ts'
import {
  artifactsCommand,
  diffArtifactCommand,
  inspectCommand,
  mirrorCommand,
  tagCommand,
} from './commands/artifact/artifacts.ts'
import { buildCommand } from './commands/pipeline/build.ts'
import { dependencyCommand } from './commands/chart/dependency.ts'
import { deployCommand } from './commands/pipeline/deploy.ts'
import { diffCommand } from './commands/release/diff.ts'
import { driftCommand } from './commands/release/drift.ts'
import { getCommand } from './commands/release/get.ts'
import { historyCommand } from './commands/release/history.ts'
import { installCommand } from './commands/release/install.ts'
import { jobsCommand } from './commands/pipeline/jobs.ts'
import { lintCommand } from './commands/chart/lint.ts'
import { listCommand } from './commands/release/list.ts'
import { loginCommand, logoutCommand } from './commands/artifact/login.ts'
import { packageCommand } from './commands/chart/package.ts'
import { planCommand } from './commands/release/plan.ts'
import { pullCommand } from './commands/chart/pull.ts'
import { pushCommand } from './commands/chart/push.ts'
import { recoverCommand } from './commands/release/recover.ts'
import { repoCommand } from './commands/chart/repo.ts'
import { rollbackCommand } from './commands/release/rollback.ts'
import { runnerCommand } from './commands/pipeline/runner.ts'
import { sandboxCommand } from './commands/sandbox/sandbox.ts'
import { searchCommand } from './commands/chart/search.ts'
import { showCommand } from './commands/chart/show.ts'
import { generateKeyCommand, signCommand, verifyCommand } from './commands/artifact/sign.ts'
import { statusCommand } from './commands/release/status.ts'
import { templateCommand } from './commands/chart/template.ts'
import { testCommand } from './commands/release/test.ts'
import { typesCommand } from './commands/chart/types.ts'
import { uninstallCommand } from './commands/release/uninstall.ts'
import { upgradeCommand } from './commands/release/upgrade.ts'
import { versionCommand } from './commands/version.ts'
import type { Io } from './io.ts'
import { addGlobalOptions } from './options/options.ts'
import { readOutputFile } from './options/output-file.ts'

/** One command: its words and options are declared here at once, what it does is loaded when it runs. */
export type CommandFactory = (io: Io) => Command

const commands: readonly CommandFactory[] = [
  installCommand,
  upgradeCommand,
  rollbackCommand,
  uninstallCommand,
  planCommand,
  applyCommand,
  diffCommand,
  driftCommand,
  listCommand,
  statusCommand,
  historyCommand,
  getCommand,
  testCommand,
  recoverCommand,
  templateCommand,
  showCommand,
  lintCommand,
  packageCommand,
  dependencyCommand,
  repoCommand,
  searchCommand,
  typesCommand,
  buildCommand,
  pushCommand,
  pullCommand,
  artifactsCommand,
  inspectCommand,
  diffArtifactCommand,
  tagCommand,
  mirrorCommand,
  signCommand,
  verifyCommand,
  generateKeyCommand,
  loginCommand,
  logoutCommand,
  deployCommand,
  jobsCommand,
  runnerCommand,
  sandboxCommand,
  versionCommand,
]

/** The whole command line, writing to the given streams only. */
export function createProgram(io: Io): Command {
  const program = addGlobalOptions(new Command('lading'))
    .description('Delivery for Kubernetes: from source to artifact to a release that is planned, applied and watched.')
    .addHelpText('after', '\nExample:\n  lading version -o json')
    .showSuggestionAfterError()
    .hook('preAction', (_program, command) => readOutputFile(command))
  for (const create of commands) program.addCommand(create(io))
  confine(program, io)
  return program
}

// Commander would write to the process' own streams and end the process.
function confine(command: Command, io: Io): void {
  command
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: () => {
        // main prints the error once, with its next step.
      },
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
      getOutHasColors: () => io.stdout.isTTY === true,
      getErrHasColors: () => io.stderr.isTTY === true,
    })
  for (const child of command.commands) confine(child, io)
}
