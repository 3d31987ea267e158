import { Command } from 'commander'
import { isLadingError, isRecord, LadingError, stringifyJson } from '../../core/index.ts'
import { artifactPlan } from '../artifact-plan.ts'
import type { Approval, Component, DeployPlan, Job, NewJob } from '../../pipeline/index.ts'
import type { SavedPlan } from '../../release/index.ts'
import { askLine } from '../ask-line.ts'
import { addStorageOptions, pathFrom } from '../connect.ts'
import type { Io } from '../io.ts'
import { type PipelineSession, withPipeline } from '../pipeline-session.ts'
import { printDocument } from '../print-data.ts'
import { readText } from '../read-text.ts'
import { refuseFlags } from '../refuse-flags.ts'
import {
  addBuildOptions,
  buildFlags,
  type BuildFlags,
  readWithInputs,
  refuseForSource,
  runBuild,
} from './build-component.ts'

interface DeployFlags extends BuildFlags {
  readonly artifact?: string
  readonly approve?: string
  readonly planOnly?: boolean
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
    .option('--teardown', 'remove everything that the component has on the cluster')
    .option('--rollback-to <digest>', 'go back to the revision that this artifact was deployed by')
    .option('--create-namespace', 'create the namespace of the component if it is missing')
    .option('--force-conflicts', 'take over fields that others own')
    .option('--take-ownership', 'take over objects that exist and belong to nobody or to another release')
    .option('--wait-for-jobs', 'wait until the Jobs have completed too')
    .option('--replace', 'plan to delete and create again what cannot be changed in place')
  return addStorageOptions(addBuildOptions(command))
    .addHelpText(
      'after',
      '\nAn approval is a JSON file: {"plan_hash": "sha256:…", "decision": "approve", "by": "…", "at": "…"}; it holds for that plan ' +
        'alone.\nExit codes: 0 when it is done, also when nothing was to do; that of approval.denied without an approval.\n\n' +
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

function buildsNow({ artifact, teardown, rollbackTo }: DeployFlags): boolean {
  return artifact === undefined && teardown !== true && rollbackTo === undefined
}

/** Refuses flags that another one leaves without an effect. */
function refuseCombinations(command: Command, options: DeployFlags): void {
  const notRead = ['--artifact', '--verify', '--identity', ...buildFlags]
  if (options.teardown === true) {
    const forApply = ['--rollback-to', '--create-namespace', '--force-conflicts', '--take-ownership', '--replace']
    refuseFlags(command, [...forApply, ...notRead], '--teardown removes what is on the cluster')
  }
  if (options.rollbackTo !== undefined) {
    refuseFlags(command, notRead, '--rollback-to applies a revision as it is on record')
  }
  if (options.artifact !== undefined) refuseFlags(command, buildFlags, '--artifact names what is built already')
  if (options.planOnly === true) refuseFlags(command, ['--approve'], '--plan-only applies nothing')
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
  const plan = await deployPlan(io, session, component, options)
  const operation = options.teardown === true ? 'create-teardown-plan' : 'create-apply-plan'
  const planned = await session
    .run(await newJob(component, operation, plan), `plan ${namespace}/${name}`)
    .catch((error: unknown) => {
      throw explainUnsigned(error, plan, options)
    })
  const outputs = await plannedOf(planned)
  const { maskPlan, refusePlan } = await import('../../release/index.ts')
  if (options.planOnly === true || outputs.unchanged) {
    if (options.planOnly !== true)
      await requireHealth(session, component, { ...plan, apply_plan_contents: outputs.plan })
    await printDocument(io, options.output, { job: planned.id, ...planned.outputs, plan: maskPlan(outputs.plan) }, () =>
      planText(outputs),
    )
    refusePlan(outputs.plan)
    return
  }
  // Nobody is asked to approve what cannot be done.
  refusePlan(outputs.plan)
  const approval = await approvalFor(io, outputs, options)
  const apply = { ...plan, apply_plan_contents: outputs.plan, approval }
  const applied = await session.run(await newJob(component, 'apply-plan', apply), `deploy ${namespace}/${name}`)
  const result = { job: applied.id, plan_hash: outputs.plan_hash, ...applied.outputs }
  await printDocument(io, options.output, result, () => resultText(component, applied))
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
  const { name, namespace, health, deployTimeoutMs, dependencies } = component
  const base = {
    ...session.demands.deploy,
    component_id: name,
    component_name: name,
    dependencies,
    wait: health.enabled,
    ...(options.waitForJobs === true ? { wait_for_jobs: true } : {}),
    timeout_ms: deployTimeoutMs,
    ...(health.stabilizationMs === undefined ? {} : { stabilization_ms: health.stabilizationMs }),
    ...(options.createNamespace === true ? { create_namespace: true } : {}),
    ...(options.forceConflicts === true ? { force_conflicts: true } : {}),
    ...(options.replace === true ? { replace: true } : {}),
    ...(options.takeOwnership === true ? { take_ownership: true } : {}),
  }
  if (options.teardown === true) return { ...base, kubernetes_manifest: { namespace } }
  if (options.rollbackTo !== undefined) {
    return { ...base, kubernetes_manifest: { namespace }, rollback_to: options.rollbackTo }
  }
  const built = options.artifact === undefined ? await runBuild(io, session, component, options) : undefined
  const artifact = await artifactPlan(options.artifact ?? String(built?.outputs?.['artifact']))
  return { ...base, kubernetes_manifest: { namespace, ...artifact } }
}

async function newJob(
  { name, namespace, deployTimeoutMs, maxAutoRetries }: Component,
  operation: NewJob['operation'],
  plan: DeployPlan,
): Promise<NewJob> {
  const { deployJobLimit } = await import('../../pipeline/index.ts')
  const timeoutMs = deployJobLimit(deployTimeoutMs)
  const group = `deploy/${namespace}/${name}`
  // A plan is applied once: one that was begun is healed and refused, never begun again.
  const maxRetries = operation === 'apply-plan' ? 0 : maxAutoRetries
  return { type: 'kubernetes-manifest-deploy', operation, group, plan: { ...plan }, timeoutMs, maxRetries }
}

interface Planned {
  readonly plan: SavedPlan
  readonly plan_hash: string
  readonly unchanged: boolean
  readonly text: string
}

async function plannedOf({ outputs = {} }: Job): Promise<Planned> {
  const { parsePlan } = await import('../../release/index.ts')
  const { plan, plan_hash: hash, unchanged, text } = outputs
  return {
    plan: parsePlan(stringifyJson(plan), 'the plan'),
    plan_hash: String(hash),
    unchanged: unchanged === true,
    text: String(text),
  }
}

/** Whoever approves sees the plan first; what he says holds for that plan alone. */
async function approvalFor(io: Io, planned: Planned, { approve }: DeployFlags): Promise<Approval> {
  const { plan_hash } = planned
  const at = new Date().toISOString()
  if (approve === 'auto') return { plan_hash, decision: 'approve', by: 'auto', at }
  if (approve !== undefined && approve !== 'prompt') return readApproval(io, approve)
  io.stderr.write(planText(planned))
  if (approve === undefined && io.stderr.isTTY !== true) {
    const problem = `the plan ${plan_hash} needs an approval: give --approve auto, or --approve FILE`
    throw new LadingError('approval.denied', problem, { plan_hash })
  }
  const answer = await askLine(io, 'Apply this plan? Only "yes" does it: ')
  const decision = answer === 'yes' ? 'approve' : 'deny'
  return { plan_hash, decision, by: io.env['USER'] ?? 'prompt', at }
}

async function readApproval(io: Io, file: string): Promise<Approval> {
  const { parseYamlValue } = await import('../../core/yaml/index.ts')
  const value = parseYamlValue(await readText(io, pathFrom(io, file)), { file })
  const { plan_hash, decision, by, at } = isRecord(value) ? value : {}
  if (typeof plan_hash !== 'string' || typeof by !== 'string' || (decision !== 'approve' && decision !== 'deny')) {
    const problem = `${file} is no approval: it needs plan_hash, by, and decision (approve or deny)`
    throw new LadingError('config.invalid', problem, { file })
  }
  return { plan_hash, decision, by, at: typeof at === 'string' ? at : '' }
}

function planText({ text, plan_hash, unchanged }: Planned): string {
  return unchanged ? text : `${text}plan ${plan_hash}\n`
}

function resultText({ name, namespace }: Component, { outputs = {} }: Job): string {
  const { outcome, revision } = outputs
  return `${namespace}/${name} ${String(outcome)}${typeof revision === 'number' ? ` (revision ${revision})` : ''}\n`
}
