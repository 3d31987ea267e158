import { parse } from 'node:path'
import type { Command } from 'commander'
import { LadingError } from '../../../core/index.ts'
import type { BuildTarget, Component } from '../../../pipeline/index.ts'
import { pathFrom } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { refuseSecretsOfDetached } from '../../options/job-demands.ts'
import {
  addCredentialsOption,
  addJobsOption,
  addSignOption,
  collectInput,
  type PipelineFlags,
  withPipeline,
} from '../../pipeline-session.ts'
import { collect } from '../../options/options.ts'
import { printDocument } from '../../print/print-data.ts'
import { formatTable } from '../../print/print-table.ts'
import { refuseFlags } from '../../options/refuse-flags.ts'
import { addRegistryOptions, addTrustOptions } from '../../options/registry-options.ts'
import { addProgressOption } from '../../options/release-options.ts'
import { addRemoteOptions, type RemoteFlags, remoteOptions } from '../../options/remote-options.ts'
import { recipientsOf } from '../chart/push.ts'

/** Flags of working with a component. */
export interface ComponentFlags extends PipelineFlags {
  readonly input?: Readonly<Record<string, string>>
}

/** Flags of building a component. */
export interface BuildFlags extends ComponentFlags, RemoteFlags {
  readonly registry?: string
  readonly tag?: string
  readonly recipient?: readonly string[]
  readonly detach?: boolean
}

/** Declares the options of working with a component. */
export function addComponentOptions(command: Command): Command {
  return addRegistryOptions(addJobsOption(addProgressOption(command))).option(
    '--input <name=value>',
    'an input that the component declares; may be repeated',
    collectInput,
  )
}

/** Declares the options of building a component. */
export function addBuildOptions(command: Command): Command {
  return addRemoteOptions(addTrustOptions(addCredentialsOption(addSignOption(addComponentOptions(command)))))
    .option('--registry <reference>', 'oci://HOST/REPOSITORY that the artifact of a component goes to')
    .option('--tag <tag>', 'tag of the artifact (default: latest)')
    .option('--recipient <age1…>', 'encrypt the artifact for this recipient of age; may be repeated', collect)
}

/** The flags that only a build looks at. */
export const buildFlags = [
  '--registry',
  '--tag',
  '--sign',
  '--recipient',
  '--allow-remote',
  '--allow-unpinned',
  '--credentials',
] as const

/** Whether an argument is a component file and no folder. */
export function isComponentFile(path: string): boolean {
  return ['.toml', '.yaml', '.yml', '.json'].includes(parse(path).ext.toLowerCase())
}

/** Builds a component into an artifact and prints what came of it. */
export async function buildFromFile(io: Io, file: string, options: BuildFlags, command: Command): Promise<void> {
  const component = await readWithInputs(io, file, options)
  refuseForSource(component, options, command)
  refuseWithoutArtifact(component, options, command)
  if (options.detach === true) {
    refuseFlags(command, ['--progress'], 'a detached build is done by `lading runner start`')
    refuseSecretsOfDetached(options)
  }
  const { buildComponent, enqueueBuild } = await import('../../../pipeline/index.ts')
  await withPipeline(io, options, async ({ pipeline, ctx, follow }) => {
    const target = await buildTarget(io, options)
    if (options.detach === true) {
      const { id, type, state } = await enqueueBuild(pipeline, component, target)
      await printDocument(io, options.output, { job: id, type, state }, () => `${id}\n`)
      return
    }
    const built = await follow(buildComponent(pipeline, component, target, ctx), `build ${component.name}`)
    const row = { artifact: built.artifact, tag: built.tag, objects: built.objects.length }
    const columns = ['artifact', 'tag', 'objects'] as const
    await printDocument(io, options.output, built, () => formatTable({ rows: [row], columns }))
  })
}

/** Reads a component and fills in its inputs. */
export async function readWithInputs(io: Io, file: string, options: ComponentFlags): Promise<Component> {
  const { readComponent, resolveInputs } = await import('../../../pipeline/index.ts')
  const component = resolveInputs(await readComponent(pathFrom(io, file)), options.input ?? {})
  const { namespace } = component
  if (options.namespace === undefined || options.namespace === namespace) return component
  const problem = `-n ${options.namespace} contradicts ${file}, whose namespace is ${namespace}: change it there, or make it an input`
  throw new LadingError('usage.invalid', problem, { flag: '--namespace', namespace })
}

/** Refuses flags of a build that what the component is built from has no use for. */
export function refuseForSource({ name, source }: Component, { credentials }: BuildFlags, command: Command): void {
  if (source.type !== 'kustomize') {
    refuseFlags(
      command,
      ['--allow-remote', '--allow-unpinned'],
      `component ${name} has no kustomize, and only that has remote bases`,
    )
  }
  if (source.type === 'oci_artifact') {
    refuseFlags(command, ['--recipient'], `component ${name} is somebody else's artifact, which is copied as it is`)
  }
  const known = source.type === 'oci_artifact' ? source.credentialsRef : undefined
  const unused = credentials?.map((text) => text.split('=')[0]).find((given) => given !== known)
  if (unused === undefined) return
  const problem = `--credentials ${unused} has no effect here: component ${name} has no credentials_ref ${unused}`
  throw new LadingError('usage.invalid', problem, { flag: '--credentials' })
}

/** What reads an artifact has nothing to read where a component is built from source. */
function refuseWithoutArtifact({ name, source }: Component, { recipient }: BuildFlags, command: Command): void {
  if (source.type === 'oci_artifact') return
  refuseFlags(command, ['--verify'], `component ${name} is built from source; give the key to \`lading deploy\``)
  if (recipient === undefined) refuseFlags(command, ['--identity'], `component ${name} is built from source`)
}

/** Where the flags say that the artifact goes. */
export async function buildTarget(io: Io, flags: BuildFlags): Promise<BuildTarget> {
  const { registry, tag, recipient = [] } = flags
  if (registry === undefined) {
    throw new LadingError('usage.invalid', 'give --registry oci://HOST/REPOSITORY, where the artifact is to go')
  }
  const { formatReference, isTag, parseRecipients, parseReference } = await import('../../../oci/index.ts')
  const { registry: host, repository, tag: named, digest } = parseReference(registry)
  if (digest !== undefined) {
    throw new LadingError('usage.invalid', 'leave the digest out of --registry: what is built gives its own')
  }
  if (tag !== undefined && named !== undefined && tag !== named) {
    throw new LadingError('usage.invalid', `--tag ${tag} contradicts --registry, which names the tag ${named}`)
  }
  if (tag !== undefined && !isTag(tag)) throw new LadingError('usage.invalid', `--tag ${tag} is not a valid tag`)
  return {
    registry: formatReference({ registry: host, repository }),
    tag: tag ?? named ?? 'latest',
    recipients: await recipientsOf(io, recipient, parseRecipients),
    remote: remoteOptions(flags),
  }
}
