import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeFiles } from '../../../testing/write-files.ts'
import { type Clock, type Context, context, type LadingEvent, systemClock } from '../../core/index.ts'
import { type Cluster, connect } from '../../kube/index.ts'
import { openRepository, type Target } from '../../oci/index.ts'
import { createStore, type ReleaseStore } from '../../release/index.ts'
import { type Registry, startRegistry, startSandbox } from '../../sandbox/index.ts'
import type { Job, NewJob } from '../jobs/job.ts'
import type { JobOperation } from '../jobs/job-operations.ts'
import type { JobStore } from '../jobs/job-store.ts'
import { runNow } from '../jobs/run-now.ts'
import { openJobStore } from '../jobs/sqlite-job-store.ts'
import { pipelineHandlers } from '../handlers.ts'
import type { PipelineServices } from '../services.ts'

/** Everything that a pipeline needs, for one test file. */
export interface TestPipeline {
  readonly registry: Pick<Registry, 'host' | 'url' | 'stop'>
  readonly cluster: Cluster
  readonly releases: ReleaseStore
  /** Releases kept as Secrets of this cluster. */
  storeOn(cluster: Cluster): ReleaseStore
  readonly folder: string
  readonly jobs: JobStore
  readonly services: PipelineServices
  readonly ctx: Context
  open(repository: string): Target
  /** Writes files below the folder. */
  write(files: Readonly<Record<string, string>>): Promise<void>
  /** Enqueues and runs a job, as the command line does. */
  run<Operation extends JobOperation>(job: NewJob<Operation>): Promise<Job<Operation>>
  close(): Promise<void>
}

/** Where cluster and registry come from; a sandbox and its registry unless told. */
export interface PipelineOrigin {
  readonly cluster?: Cluster
  readonly registry?: Pick<Registry, 'host' | 'url' | 'stop'> & { readonly user?: string; readonly password?: string }
  readonly clock?: Clock
}

/** Starts a registry and, unless one is given, a cluster. */
export async function openPipeline({
  cluster: given,
  clock = systemClock,
  registry: other,
}: PipelineOrigin = {}): Promise<TestPipeline> {
  const ctx = context({ clock })
  const folder = await mkdtemp(join(tmpdir(), 'lading-pipeline-'))
  const registry = other ?? (await startRegistry())
  const { user: username, password } = other ?? {}
  const known = username === undefined || password === undefined ? undefined : { username, password }
  const sandbox = given === undefined ? await startSandbox({ port: 0 }) : undefined
  const cluster =
    given ?? (await connect({ kubeconfig: sandbox!.kubeconfig }, ctx))
  const releases = createStore({ driver: 'secrets' }, cluster)
  const jobs = openJobStore(join(folder, 'state', 'jobs.db'), clock, join(folder, 'jobs.key'))
  const services: PipelineServices = {
    open: (reference) => openRepository(reference, { plainHttp: true, credentials: () => Promise.resolve(known) }),
    workspace: join(folder, 'work'),
    clock,
    engine: () => Promise.resolve({ cluster, store: releases }),
  }
  return {
    registry,
    cluster,
    releases,
    storeOn: (other) => createStore({ driver: 'secrets' }, other),
    folder,
    jobs,
    services,
    ctx,
    open: (repository) => services.open({ registry: registry.host, repository }),
    write: async (files) => void (await writeFiles(folder, files)),
    run: (job) => finish(runNow(jobs, pipelineHandlers(services), job, { worker: 'test' }, ctx)),
    close: async () => {
      jobs.close()
      if (given === undefined) await (cluster as Awaited<ReturnType<typeof connect>>).close()
      await sandbox?.stop()
      if (other === undefined) await registry.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Runs a generator to its end. */
export async function finish<Result>(events: AsyncGenerator<LadingEvent, Result>): Promise<Result> {
  for (;;) {
    const next = await events.next()
    if (next.done === true) return next.value
  }
}

/** Makes a git repository of a folder, with one commit. */
export async function commitAll(folder: string): Promise<string> {
  const git = async (...words: string[]): Promise<string> => {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', '-c', 'init.defaultBranch=main']
    const { stdout } = await promisify(execFile)('git', [...who, ...words], { cwd: folder })
    return stdout.trim()
  }
  await git('init', '--quiet')
  await git('add', '.')
  await git('commit', '--quiet', '-m', 'all')
  return git('rev-parse', 'HEAD')
}
