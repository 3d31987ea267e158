import { resolve } from 'node:path'
import { defined, LadingError } from '../../core/index.ts'
import type { BuildDemands, EngineAccess, Trust } from '../../pipeline/index.ts'
import { pathFrom, type StorageOptions, storeConfig } from '../connect.ts'
import type { Io } from '../io.ts'
import { type PlanKeyFlags, readPlanKeys } from './plan-options.ts'
import { readText } from '../files/read-text.ts'
import type { ArtifactFlags } from './registry-options.ts'

/** Flags of a command that leaves jobs behind. */
interface JobFlags extends StorageOptions, ArtifactFlags, PlanKeyFlags {
  readonly credentials?: readonly string[]
  readonly sign?: string
}

/** What the flags of a command say about its jobs, stored with them so that whoever runs them keeps to it. */
export interface JobDemands {
  readonly build: BuildDemands
  readonly deploy: Pick<BuildDemands, 'trust' | 'registry_access'> & { readonly engine: EngineAccess }
}

/** Everything of a command's flags and environment that a job needs and that is no secret. */
export async function jobDemands(io: Io, flags: JobFlags): Promise<JobDemands> {
  const { sourceDate } = await import('../../oci/index.ts')
  const verify = await Promise.all((flags.verify ?? []).map((file) => readText(io, pathFrom(io, file))))
  const planKeys = await readPlanKeys(io, flags)
  const ca = flags.registryCa === undefined ? undefined : await readText(io, pathFrom(io, flags.registryCa))
  const access = defined({
    plain_http: flags.plainHttp,
    registry_ca: ca,
    insecure_skip_tls_verify: flags.insecureSkipTlsVerify,
    token_hosts: flags.allowTokenHost,
  })
  const artifacts = {
    ...(verify.length === 0 ? {} : { trust: { verify_keys: verify } }),
    ...(Object.keys(access).length === 0 ? {} : { registry_access: access }),
  }
  return {
    build: { ...artifacts, ...defined({ created: sourceDate(io.env)?.toISOString() }) },
    deploy: { ...artifacts, ...planTrust(artifacts.trust, planKeys), engine: engineAccess(io, flags) },
  }
}

/** Refuses the flags of a job that is left to a runner which are secrets, and so cannot be left with it. */
export function refuseSecretsOfDetached(flags: JobFlags): void {
  for (const [flag, given] of [
    ['--identity', flags.identity],
    ['--credentials', flags.credentials],
    ['--sign', flags.sign],
  ] as const) {
    if (given === undefined) continue
    const problem = `${flag} is secret and does not go with a job: leave it out, and give it to lading runner start`
    throw new LadingError('usage.invalid', problem, { flag })
  }
}

/** Only jobs of deploys apply plans. */
function planTrust(trust: Trust | undefined, keys: readonly string[]): { readonly trust?: Trust } {
  return keys.length === 0 ? {} : { trust: { ...trust, plan_keys: keys } }
}

function engineAccess(io: Io, flags: StorageOptions): EngineAccess {
  const { path, ...storage } = storeConfig(io, flags)
  // A runner works in another folder.
  const placed = path === undefined ? {} : { path: resolve(io.cwd, path) }
  return { storage: { ...storage, ...placed }, ...defined({ as: flags.as, as_groups: flags.asGroup }) }
}
