import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, join, resolve, sep } from 'node:path'
import {
  type Context,
  defined,
  type KubeObject,
  LadingError,
  type LadingEvent,
  objectId,
  refOf,
} from '../../core/index.ts'
import {
  copy,
  type Descriptor,
  formatReference,
  type PackOrigin,
  packObjects,
  parseReference,
  type PulledArtifact,
  pullArtifact,
  pushArtifact,
  readArtifactMetadata,
  type Reference,
  signArtifact,
  type SigningKey,
  type Target,
} from '../../oci/index.ts'
import { type Job, jobOf } from '../jobs/job.ts'
import type { JobHandler } from '../jobs/run-job.ts'
import type { PipelineServices } from '../services.ts'
import { verifyDemands } from '../verify-demands.ts'
import { addProbes } from './add-probes.ts'
import type { BuildOutputs, BuildPlan } from './build-plan.ts'
import { buildProgram, type PreparedProgram, prepareProgram } from './build-program.ts'
import { type Checkout, fetchGit } from './fetch-git.ts'
import { type PreparedBuild, prepareInline, prepareKustomize, renderBuild } from './render-build.ts'

/** Builds a component into an artifact: rendered and packed, or, where it is one already, copied as it is. */
export function buildHandler(services: PipelineServices): JobHandler {
  return (job) => {
    const { plan } = jobOf(job, 'build')
    return plan.kubernetes_manifest_build_plan.source_type === 'oci_artifact'
      ? mirrorWork(plan, services)
      : renderWork(plan, services, { base: services.workspace, job })
  }
}

function renderWork(
  plan: BuildPlan,
  services: PipelineServices,
  { base, job }: { readonly base: string; readonly job: Job },
): ReturnType<JobHandler> {
  // Each try has a folder of its own: a runner that lost the job must not clean up under the one that has it.
  const workspace = join(base, `${job.id}.${job.fence}`)
  const manifest = plan.kubernetes_manifest_build_plan
  let checkout: Checkout | undefined
  let prepared: PreparedBuild | undefined
  let program: PreparedProgram | undefined
  let objects: KubeObject[] = []
  let remotes: NonNullable<PackOrigin['remotes']> = []
  let outputs: BuildOutputs | undefined
  return {
    reset: async () => {
      await mkdir(workspace, { recursive: true, mode: 0o700 })
      const earlier = (await readdir(base)).filter((name) => name.startsWith(`${job.id}.`))
      for (const name of earlier.filter((each) => each !== basename(workspace))) {
        await rm(join(base, name), { recursive: true, force: true })
      }
    },
    fetch: async function* (ctx) {
      if (plan.git_source === undefined) return
      yield { type: 'progress', message: 'fetching the repository' }
      checkout = await fetchGit(plan.git_source, join(workspace, 'source'), ctx)
      yield { type: 'progress', message: `at commit ${checkout.commit}` }
    },
    initialize: async (ctx) => {
      const root = checkout === undefined ? plan.folder : rootOf(checkout, plan)
      if (manifest.source_type === 'program') {
        program = await prepareProgram(manifest, root, checkout?.folder)
        return
      }
      prepared =
        manifest.source_type === 'inline'
          ? await prepareInline(manifest, root, ctx)
          : await prepareKustomize(manifest, root, checkout?.folder)
    },
    validate: async function* (ctx) {
      if (program === undefined) {
        const built = await renderBuild(prepared!, plan.component_id, services.openRemote, ctx)
        remotes = built.remotes
        objects = addProbes(built.objects, manifest.probes)
      } else {
        objects = addProbes(
          await buildProgram(
            program,
            plan,
            plan.created === undefined ? (services.created ?? checkout?.time) : new Date(plan.created),
            ctx,
          ),
          manifest.probes,
        )
      }
      yield { type: 'progress', message: countOf(objects) }
    },
    execute: async function* (ctx) {
      const created = plan.created === undefined ? services.created : new Date(plan.created)
      const packed = await packObjects(objects, {
        ...originOf(plan, checkout),
        ...(remotes.length === 0 ? {} : { remotes }),
        ...defined({ created, recipients: plan.recipients }),
      })
      const destination = parseReference(plan.dst_registry)
      const target = services.open(destination, { access: plan.registry_access })
      try {
        const { signingKey } = services
        // A tag names only what is signed already.
        const pushed = await pushArtifact(target, packed, signingKey === undefined ? plan.dst_tag : undefined, ctx)
        const built = await readBack(target, pushed, { objects, plan, services }, ctx)
        if (signingKey !== undefined) yield* signAndTag(target, pushed, plan.dst_tag, signingKey, ctx)
        outputs = outputsOf(plan, destination, built, signingKey !== undefined)
        yield { type: 'progress', message: `pushed ${outputs.artifact}` }
      } finally {
        await target.close()
      }
    },
    outputs: () => Promise.resolve(outputs),
    cleanup: () => rm(workspace, { recursive: true, force: true }),
  }
}

/** Somebody else's artifact: its tag becomes a digest, what it holds is read, and only then it is copied, blobs untouched. */
function mirrorWork(plan: BuildPlan, services: PipelineServices): ReturnType<JobHandler> {
  const from = plan.kubernetes_manifest_build_plan.oci_artifact_source!
  const origin = parseReference(from.url)
  let source: Target | undefined
  let artifact: PulledArtifact | undefined
  let outputs: BuildOutputs | undefined
  return {
    fetch: async function* (ctx) {
      source = services.open(origin, { credentialsRef: from.credentials_ref, access: plan.registry_access })
      const found = await source.resolve(from.digest ?? from.tag ?? 'latest', ctx)
      yield { type: 'progress', message: `${from.url} is ${found.digest}` }
      const { identities = [], verifyKeys } = services
      await verifyDemands(source, found, [plan.trust, { verify_keys: verifyKeys }], ctx)
      artifact = await pullArtifact(source, found.digest, { expectDigest: found.digest, identities }, ctx)
    },
    validate: async function* () {
      const { content, objects } = artifact!
      if (content === 'objects' && objects.length === 0) {
        throw new LadingError('source.empty', `${from.url} holds no objects`, { source: from.url })
      }
      yield { type: 'progress', message: content === 'objects' ? countOf(objects) : `a ${content}` }
    },
    execute: async function* (ctx) {
      const destination = parseReference(plan.dst_registry)
      const target = services.open(destination, { access: plan.registry_access })
      try {
        // With its signatures, so that a deploy can ask for them here too.
        const { signingKey } = services
        const tag = signingKey === undefined ? plan.dst_tag : undefined
        const { descriptor } = yield* copy(source!, artifact!.digest, target, tag, { referrers: true }, ctx)
        if (signingKey !== undefined) yield* signAndTag(target, descriptor, plan.dst_tag, signingKey, ctx)
        outputs = outputsOf(plan, destination, artifact!, signingKey !== undefined)
      } finally {
        await target.close()
      }
    },
    outputs: () => Promise.resolve(outputs),
    cleanup: async () => {
      await source?.close()
    },
  }
}

/** What was pushed, read from the registry; one that is encrypted for others only is described as it was packed. */
async function readBack(
  target: Target,
  { digest }: Descriptor,
  { objects, plan, services }: { objects: readonly KubeObject[]; plan: BuildPlan; services: PipelineServices },
  ctx: Context,
): Promise<Pick<PulledArtifact, 'digest' | 'metadata' | 'objects'>> {
  const { identities = [] } = services
  if (plan.recipients !== undefined && identities.length === 0) {
    return { digest, metadata: await readArtifactMetadata(target, digest, ctx), objects }
  }
  return pullArtifact(target, digest, { expectDigest: digest, identities }, ctx)
}

async function* signAndTag(
  target: Target,
  pushed: Descriptor,
  tag: string,
  key: SigningKey,
  ctx: Context,
): AsyncGenerator<LadingEvent, void> {
  await signArtifact(target, pushed, key, {}, ctx)
  yield { type: 'progress', message: `signed ${pushed.digest}` }
  await target.tag(pushed, tag, ctx)
}

function rootOf({ folder }: Checkout, { git_source: source }: BuildPlan): string {
  const root = resolve(folder, source?.path ?? '.')
  if (root !== folder && !root.startsWith(folder + sep)) {
    throw new LadingError('config.invalid', `directory leads out of the repository: ${source?.path}`, {
      field: 'directory',
    })
  }
  return root
}

function originOf(plan: BuildPlan, checkout: Checkout | undefined): PackOrigin {
  if (plan.git_source === undefined || checkout === undefined) return {}
  const { url, ref = 'HEAD' } = plan.git_source
  const source = url.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1')
  return { source, revision: `${ref}/${checkout.commit}`, created: checkout.time }
}

function outputsOf(
  plan: BuildPlan,
  destination: Reference,
  artifact: Pick<PulledArtifact, 'digest' | 'metadata' | 'objects'>,
  signed: boolean,
): BuildOutputs {
  const { registry, repository } = destination
  const { digest, metadata, objects } = artifact
  const { version, checksum, created, sourceUrl, sourceRevision, remotes } = metadata
  return {
    artifact: formatReference({ registry, repository, digest }),
    digest,
    tag: plan.dst_tag,
    signed,
    encrypted: metadata.encrypted,
    metadata: {
      ...defined({ version, checksum, created, source_url: sourceUrl, source_revision: sourceRevision, remotes }),
    },
    objects: objects.map((object) => objectId(refOf(object))),
  }
}

function countOf({ length }: { readonly length: number }): string {
  return `${length} ${length === 1 ? 'object' : 'objects'}`
}
