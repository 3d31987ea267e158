import { parse } from 'node:path'
import type { Command } from 'commander'
import { LadingError } from '../../core/index.ts'
import type { BuildDemands, Component, Job, NewJob } from '../../pipeline/index.ts'
import { pathFrom } from '../connect.ts'
import type { Io } from '../io.ts'
import { refuseSecretsOfDetached } from '../job-demands.ts'
import {
  addCredentialsOption,
  addJobsOption,
  collectInput,
  type PipelineFlags,
  type PipelineSession,
  withPipeline,
} from '../pipeline-session.ts'
import { printDocument } from '../print-data.ts'
import { formatTable } from '../print-table.ts'
import { addArtifactOptions } from '../registry-options.ts'
import { addProgressOption } from '../release-options.ts'

/** Flags of building a component. */
export interface ComponentFlags extends PipelineFlags {
  readonly registry?: string
  readonly tag?: string
  readonly input?: Readonly<Record<string, string>>
  readonly detach?: boolean
}

/** Declares the options of building a component. */
export function addComponentOptions(command: Command): Command {
  addArtifactOptions(addJobsOption(addCredentialsOption(addProgressOption(command))))
  return command
    .option('--registry <reference>', 'oci://HOST/REPOSITORY that the artifact of a component goes to')
    .option('--tag <tag>', 'tag of the artifact; latest unless given')
    .option('--input <name=value>', 'an input that the component declares; may be repeated', collectInput)
}

/** Whether an argument is a component file and no folder. */
export function isComponentFile(path: string): boolean {
  return ['.toml', '.yaml', '.yml', '.json'].includes(parse(path).ext.toLowerCase())
}

/** Builds a component into an artifact and prints what came of it. */
export async function buildComponent(io: Io, file: string, options: ComponentFlags): Promise<void> {
  const component = await readWithInputs(io, file, options)
  if (options.detach === true) refuseSecretsOfDetached(options)
  await withPipeline(io, options, async (session) => {
    const job = await newBuild(component, options, session.demands.build)
    if (options.detach === true) {
      await printQueued(io, options, await session.store.enqueue(job))
      return
    }
    const { id, outputs = {} } = await session.run(job, `build ${component.name}`)
    await printDocument(io, options.output, { job: id, ...outputs }, () => formatTable(tableOf(outputs)))
  })
}

/** Reads a component and fills in its inputs. */
export async function readWithInputs(io: Io, file: string, options: ComponentFlags): Promise<Component> {
  const { readComponent, resolveInputs } = await import('../../pipeline/index.ts')
  return resolveInputs(await readComponent(pathFrom(io, file)), options.input ?? {})
}

/** Runs the build of a component and gives what came of it. */
export async function runBuild(session: PipelineSession, component: Component, options: ComponentFlags): Promise<Job> {
  return session.run(await newBuild(component, options, session.demands.build), `build ${component.name}`)
}

/** Prints a job that a runner is to do. */
export async function printQueued(io: Io, { output }: PipelineFlags, { id, type, state }: Job): Promise<void> {
  await printDocument(io, output, { job: id, type, state }, () => `${id}\n`)
}

async function newBuild(
  component: Component,
  { registry, tag }: ComponentFlags,
  demands: BuildDemands,
): Promise<NewJob> {
  if (registry === undefined) {
    throw new LadingError('usage.invalid', 'give --registry oci://HOST/REPOSITORY, where the artifact is to go')
  }
  const [{ planBuild }, { formatReference, parseReference }] = await Promise.all([
    import('../../pipeline/index.ts'),
    import('../../oci/index.ts'),
  ])
  const { registry: host, repository, tag: named, digest } = parseReference(registry)
  if (digest !== undefined) {
    throw new LadingError('usage.invalid', 'leave the digest out of --registry: what is built gives its own')
  }
  const to = { registry: formatReference({ registry: host, repository }), tag: tag ?? named ?? 'latest' }
  const plan = planBuild(component, to, demands)
  return {
    type: 'kubernetes-manifest-build',
    operation: 'build',
    group: `build/${component.name}`,
    plan: { ...plan },
    timeoutMs: component.buildTimeoutMs,
    maxRetries: component.maxAutoRetries,
  }
}

function tableOf(outputs: Readonly<Record<string, unknown>>) {
  const objects = Array.isArray(outputs['objects']) ? outputs['objects'].length : 0
  const row = { artifact: outputs['artifact'], tag: outputs['tag'], objects }
  return { rows: [row], columns: ['artifact', 'tag', 'objects'] as const }
}
