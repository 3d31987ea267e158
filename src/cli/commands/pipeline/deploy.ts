import { Command } from 'commander'
import { isLadingError, LadingError, oneLine, stringifyJson } from '../../../core/index.ts'
import { approvalFor, type Approver, approverOf, planText } from '../../approval.ts'
import type { AppliedDeploy, Component, DeployHow, DeployWhat } from '../../../pipeline/index.ts'
import { addHealthUrlOptions } from '../../options/release-options.ts'
import { addStorageOptions, pathFrom } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { type PipelineSession, withPipeline } from '../../pipeline-session.ts'
import { addExpiryOption, addPlanKeyOption, type PlanKeyFlags } from '../../options/plan-options.ts'
import { printDocument } from '../../print/print-data.ts'
import { refuseFlags } from '../../options/refuse-flags.ts'
import { readText } from '../../files/read-text.ts'
import { writePrivateFile } from '../../files/write-private-file.ts'
import {
  addBuildOptions,
  buildFlags,
  type BuildFlags,
  readWithInputs,
  buildTarget,
  refuseForSource,
} from './build-component.ts'

interface DeployFlags extends BuildFlags, PlanKeyFlags {
  readonly artifact?: string
  readonly approve?: string
  readonly planOnly?: boolean
  readonly out?: string
  readonly plan?: string
  readonly expires?: number
  readonly teardown?: boolean
  readonly rollbackTo?: string
  readonly createNamespace?: boolean
  readonly forceConflicts?: boolean
  readonly replace?: boolean
  readonly takeOwnership?: boolean
  readonly waitForJobs?: boolean
}

/** `lading deploy`: a component from its source to the cluster, with an approval in between. */
export function deployCommand(io: Io): Command {
  const command = new Command('deploy')
    .description('build a component, plan it against the cluster, have the plan approved, and apply it')
    .argument('<component>', 'component file (.toml, .yaml, .json)')
    .option('--artifact <reference>', 'deploy this artifact, by tag or digest, instead of building one')
    .option(
      '--approve <how>',
      'auto, prompt (asks on standard input), or a file with an approval (default: prompt on a terminal)',
    )
    .option('--plan-only', 'print the plan and its hash, and apply nothing')
    .option('--out <file>', 'also save the plan in this file, readable by its owner only')
    .option('--plan <file>', 'apply this saved plan instead of making one')
    .option('--teardown', 'remove everything that the component has on the cluster')
    .option('--rollback-to <digest>', 'go back to the revision that this artifact was deployed by')
    .option('--create-namespace', 'create the namespace of the component if it is missing')
    .option('--force-conflicts', 'take over fields that others own')
    .option('--take-ownership', 'take over objects that exist and belong to nobody or to another release')
    .option('--wait-for-jobs', 'wait until the Jobs have completed too')
    .option('--replace', 'plan to delete and create again what cannot be changed in place')
  return addPlanKeyOption(addExpiryOption(addStorageOptions(addHealthUrlOptions(addBuildOptions(command)))))
    .addHelpText(
      'after',
      '\nAn approval is a JSON file: {"plan_hash": "sha256:…", "decision": "approve", "by": "…", "at": "…"}; it holds for that plan ' +
        'alone, on its cluster, once: the plan that --plan-only stored is applied as it was approved, and nothing is built or planned anew.\nExit codes: 0 when it is done, also when nothing was to do; that of approval.denied without an approval.\n\n' +
        'Example:\n  lading deploy shop.toml --registry oci://registry.example/shop --tag v1 --approve auto',
    )
    .action(async (file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<DeployFlags>()
      refuseCombinations(command, options)
      const component = await readWithInputs(io, file, options)
      if (buildsNow(options)) refuseForSource(component, options, command)
      await withPipeline(io, options, (session) => deployFromFile(io, session, component, options))
    })
}

function buildsNow({ artifact, teardown, rollbackTo, plan }: DeployFlags): boolean {
  return plan === undefined && artifact === undefined && teardown !== true && rollbackTo === undefined
}

/** Refuses flags that another one leaves without an effect. */
function refuseCombinations(command: Command, options: DeployFlags): void {
  const notRead = ['--artifact', '--verify', '--identity', ...buildFlags]
  if (options.teardown === true) {
    const forApply = ['--rollback-to', '--create-namespace', '--force-conflicts', '--take-ownership', '--replace']
    forApply.push('--allow-health-url', '--allow-local-health-url')
    refuseFlags(command, [...forApply, ...notRead], '--teardown removes what is on the cluster')
  }
  if (options.rollbackTo !== undefined) {
    refuseFlags(command, notRead, '--rollback-to applies a revision as it is on record')
  }
  if (options.artifact !== undefined) refuseFlags(command, buildFlags, '--artifact names what is built already')
  if (options.planOnly === true) {
    refuseFlags(command, ['--approve', '--plan'], '--plan-only applies nothing')
  }
  if (options.plan !== undefined) {
    const decided = ['--teardown', '--rollback-to', '--create-namespace', '--force-conflicts', '--take-ownership']
    const made = [...decided, '--replace', '--expires', '--out', '--artifact', ...buildFlags]
    refuseFlags(command, made, '--plan says what is done')
  }
}

async function deployFromFile(
  io: Io,
  { pipeline, ctx, follow }: PipelineSession,
  component: Component,
  options: DeployFlags,
): Promise<void> {
  const [{ deployComponent }, { maskPlan, refusePlan }] = await Promise.all([
    import('../../../pipeline/index.ts'),
    import('../../../release/index.ts'),
  ])
  const approver = await approverOf(io, options.approve)
  const what = await whatOf(io, approver, options)
  const how: DeployHow = {
    ...options,
    planLifetimeMs: options.expires,
    approve: typeof approver === 'object' ? approver : (planned) => approvalFor(io, planned, approver),
    onPlan: async ({ plan }) => {
      if (options.out !== undefined) await writePrivateFile(pathFrom(io, options.out), `${stringifyJson(plan, 2)}\n`)
    },
    follow,
  }
  const result = await deployComponent(pipeline, component, what, how, ctx).catch((error: unknown) => {
    throw explainUnsigned(error, what, options)
  })
  if (result.ended === 'applied') {
    await printDocument(io, options.output, result.applied, () => resultText(component, result.applied))
    return
  }
  const { request: _, ...planned } = result.planned
  await printDocument(io, options.output, { ...planned, plan: maskPlan(planned.plan) }, () => planText(planned))
  refusePlan(planned.plan)
}

/** What the flags say is deployed. */
async function whatOf(io: Io, approver: Approver, options: DeployFlags): Promise<DeployWhat> {
  if (options.plan !== undefined) {
    const { parsePlan } = await import('../../../release/index.ts')
    return { plan: parsePlan(await readText(io, pathFrom(io, options.plan)), options.plan) }
  }
  if (options.teardown === true) return { teardown: true }
  if (options.rollbackTo !== undefined) return { rollbackTo: options.rollbackTo }
  if (typeof approver === 'object') return { approved: true }
  if (options.artifact !== undefined) return { artifact: options.artifact }
  return { build: await buildTarget(io, options) }
}

/** Whoever asks for signatures of what this very command builds is told how to make one. */
function explainUnsigned(error: unknown, what: DeployWhat, options: DeployFlags): unknown {
  if (!isLadingError(error, 'signature.missing') || !('build' in what) || options.sign !== undefined) return error
  const artifact = `${what.build.registry}@${String(error.details.digest)}`
  const how = `sign what is built with --sign KEY, or sign it with lading sign ${artifact} --key KEY and deploy it with --artifact`
  return new LadingError(error.code, `${error.message}, and --verify asks for a signature: ${how}`, error.details, {
    cause: error,
  })
}

function resultText({ name, namespace }: Component, { outcome, revision }: AppliedDeploy): string {
  return `${oneLine(`${namespace}/${name}`)} ${outcome}${revision === undefined ? '' : ` (revision ${revision})`}\n`
}
