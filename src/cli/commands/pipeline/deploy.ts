import { Command } from 'commander'
import { defined, isLadingError, LadingError, oneLine, stringifyJson } from '../../../core/index.ts'
import { approvalFor, type Approver, approverOf } from '../../approval.ts'
import { artifactPlan } from '../../artifact-plan.ts'
import type { Component, DeployPlan, Job, NewJob } from '../../../pipeline/index.ts'
import { addHealthUrlOptions } from '../../options/release-options.ts'
import { addStorageOptions, pathFrom } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { type PipelineSession, withPipeline } from '../../pipeline-session.ts'
import { addExpiryOption, addPlanKeyOption, type PlanKeyFlags } from '../../options/plan-options.ts'
import { printDocument } from '../../print/print-data.ts'
import { refuseFlags } from '../../options/refuse-flags.ts'
import type { PlannedDeploy } from '../../stored-plan.ts'
import { writePrivateFile } from '../../files/write-private-file.ts'
import {
  addBuildOptions,
  buildFlags,
  type BuildFlags,
  readWithInputs,
  refuseForSource,
  runBuild,
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
      'auto, prompt (asks on standard input), or a file with an approval; prompt on a terminal unless given',
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
      await withPipeline(io, options, (session) => deployComponent(io, session, component, options))
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

/** Whoever asks for signatures of what this very command builds is told how to make one. */
function explainUnsigned(error: unknown, { kubernetes_manifest: made }: DeployPlan, options: DeployFlags): unknown {
  const { url = '', digest = '' } = made.oci_artifact ?? {}
  if (!isLadingError(error, 'signature.missing') || !buildsNow(options) || options.sign !== undefined) return error
  const how = `sign what is built with --sign KEY, or sign it with lading sign ${url}@${digest} --key KEY and deploy it with --artifact`
  return new LadingError(error.code, `${error.message}, and --verify asks for a signature: ${how}`, error.details, {
    cause: error,
  })
}

async function deployComponent(
  io: Io,
  session: PipelineSession,
  component: Component,
  options: DeployFlags,
): Promise<void> {
  const { name, namespace } = component
  const approver = await approverOf(io, options.approve)
  const { plan, planned, job } = await plannedDeploy(io, session, component, approver, options)
  const { maskPlan, refusePlan } = await import('../../../release/index.ts')
  if (options.out !== undefined) {
    await writePrivateFile(pathFrom(io, options.out), `${stringifyJson(planned.plan, 2)}\n`)
  }
  if (options.planOnly === true || planned.unchanged) {
    if (options.planOnly !== true)
      await requireHealth(session, component, { ...plan, apply_plan_contents: planned.plan })
    const shown = { ...defined({ job: job?.id }), ...(job?.outputs ?? planned), plan: maskPlan(planned.plan) }
    await printDocument(io, options.output, shown, () => planText(planned))
    refusePlan(planned.plan)
    return
  }
  // Nobody is asked to approve what cannot be done.
  refusePlan(planned.plan)
  const approval = await approvalFor(io, planned.plan_hash, planText(planned), approver)
  const apply = { ...plan, apply_plan_contents: planned.plan, approval }
  const applied = await session.run(await newJob(component, 'apply-plan', apply), `deploy ${namespace}/${name}`)
  const result = { job: applied.id, plan_hash: planned.plan_hash, ...applied.outputs }
  await printDocument(io, options.output, result, () => resultText(component, applied))
}

/** The plan that is to be approved and applied: of a file, the one that an approval is for, or a new one. */
async function plannedDeploy(
  io: Io,
  session: PipelineSession,
  component: Component,
  approver: Approver,
  options: DeployFlags,
): Promise<{ readonly plan: DeployPlan; readonly planned: PlannedDeploy; readonly job?: Job }> {
  const { name, namespace } = component
  const operation = options.teardown === true ? 'create-teardown-plan' : 'create-apply-plan'
  const { plannedInFile, plannedOf, approvedPlan } = await import('../../stored-plan.ts')
  if (options.plan !== undefined) {
    const planned = await plannedInFile(io, options.plan, component)
    return { plan: { ...basePlan(session, component, options), kubernetes_manifest: { namespace } }, planned }
  }
  if (typeof approver === 'object') {
    const base = basePlan(session, component, options)
    const asked = { ...base, ...defined({ rollback_to: options.rollbackTo }), operation }
    const { planned, request } = await approvedPlan(session.store, groupOf(component), approver.plan_hash, asked)
    const trust = { ...request.trust, ...base.trust }
    return { plan: { ...request, ...base, trust }, planned }
  }
  const plan = await deployPlan(io, session, component, options)
  const job = await session
    .run(await newJob(component, operation, plan), `plan ${namespace}/${name}`)
    .catch((error: unknown) => {
      throw explainUnsigned(error, plan, options)
    })
  return { plan, planned: await plannedOf(job), job }
}

/** Nothing to change is a success only if the release is healthy, where the component asks for it. */
async function requireHealth(session: PipelineSession, component: Component, plan: DeployPlan): Promise<void> {
  if (plan.wait === false) return
  const { name, namespace } = component
  await session.run(await newJob(component, 'check-health', plan), `check ${namespace}/${name}`)
}

async function deployPlan(
  io: Io,
  session: PipelineSession,
  component: Component,
  options: DeployFlags,
): Promise<DeployPlan> {
  const { namespace } = component
  const base = basePlan(session, component, options)
  if (options.teardown === true) return { ...base, kubernetes_manifest: { namespace } }
  if (options.rollbackTo !== undefined) {
    return { ...base, kubernetes_manifest: { namespace }, rollback_to: options.rollbackTo }
  }
  const built = options.artifact === undefined ? await runBuild(io, session, component, options) : undefined
  const artifact = await artifactPlan(options.artifact ?? String(built?.outputs?.['artifact']))
  return { ...base, kubernetes_manifest: { namespace, ...artifact } }
}

/** What the component and the flags say about a deploy, whatever is deployed. */
function basePlan(
  session: PipelineSession,
  { name, health, deployTimeoutMs, dependencies }: Component,
  options: DeployFlags,
): Omit<DeployPlan, 'kubernetes_manifest'> {
  return {
    ...session.demands.deploy,
    component_id: name,
    component_name: name,
    dependencies,
    wait: health.enabled,
    ...(options.waitForJobs === true ? { wait_for_jobs: true } : {}),
    timeout_ms: deployTimeoutMs,
    ...defined({ stabilization_ms: health.stabilizationMs, plan_lifetime_ms: options.expires }),
    ...(options.createNamespace === true ? { create_namespace: true } : {}),
    ...(options.forceConflicts === true ? { force_conflicts: true } : {}),
    ...(options.replace === true ? { replace: true } : {}),
    ...(options.takeOwnership === true ? { take_ownership: true } : {}),
  }
}

async function newJob(component: Component, operation: NewJob['operation'], plan: DeployPlan): Promise<NewJob> {
  const { deployJobLimit } = await import('../../../pipeline/index.ts')
  const { deployTimeoutMs, maxAutoRetries } = component
  const timeoutMs = deployJobLimit(deployTimeoutMs)
  const group = groupOf(component)
  // A plan is applied once: one that was begun is healed and refused, never begun again.
  const maxRetries = operation === 'apply-plan' ? 0 : maxAutoRetries
  return { type: 'kubernetes-manifest-deploy', operation, group, plan: { ...plan }, timeoutMs, maxRetries }
}

function groupOf({ name, namespace }: Component): string {
  return `deploy/${namespace}/${name}`
}

function planText({ text, plan_hash, unchanged }: PlannedDeploy): string {
  return unchanged ? text : `${text}plan ${plan_hash}\n`
}

function resultText({ name, namespace }: Component, { outputs = {} }: Job): string {
  const { outcome, revision } = outputs
  return `${oneLine(`${namespace}/${name}`)} ${String(outcome)}${typeof revision === 'number' ? ` (revision ${revision})` : ''}\n`
}
