import {
  type Context,
  isLadingError,
  type KubeObject,
  objectId,
  type ObjectRef,
  refOf,
  runConcurrently,
} from '../../core/index.ts'
import { readObjects } from '../../core/yaml/index.ts'
import type { Cluster } from '../../kube/index.ts'
import { annotation } from '../annotations/annotations.ts'
import type { ReleaseRecord } from '../record/record.ts'
import type { ObjectHealth } from './health-status.ts'
import { parseCheck } from './parse-check.ts'
import { probe, type ProbeResult } from './probe.ts'
import type { HealthUrls } from './url-access.ts'

/** How many http, url and command checks a release declares, and whether they were run. */
export interface CheckSummary {
  readonly declared: number
  readonly run: boolean
  /** How many passed, of those that were run. */
  readonly passed?: number
  readonly failed?: number
}

/** A check that an object of a release declares. */
export interface DeclaredCheck {
  readonly ref: ObjectRef
  readonly object: KubeObject
}

/** The checks that a revision declares: its own manifest tells, as anybody may have annotated the live objects. */
export function declaredChecks({ manifest, inventory, namespace }: ReleaseRecord): DeclaredCheck[] {
  if (!manifest.includes('/health-check')) return []
  const refs = new Map(inventory.map(({ ref }) => [objectId(ref), ref]))
  return readObjects(manifest).flatMap((object) => {
    if (annotation(object, 'health-check')?.trim() !== 'true') return []
    const own = refOf(object)
    // Helm's manifests leave the release's namespace out.
    const ref = refs.get(objectId({ namespace, ...own })) ?? refs.get(objectId(own))
    return ref === undefined ? [] : [{ ref, object }]
  })
}

const checksAtOnce = 8

/** Runs checks once; one that cannot be run has not passed. */
export async function runChecks(
  cluster: Cluster,
  checks: readonly DeclaredCheck[],
  healthUrls: HealthUrls | undefined,
  ctx: Context,
): Promise<Map<string, ProbeResult>> {
  const results = new Map<string, ProbeResult>()
  const run = async (check: DeclaredCheck, own: Context) => {
    return { check, result: await runCheck(cluster, check, healthUrls, own) }
  }
  for await (const { check, result } of runConcurrently(checks, checksAtOnce, run, ctx)) {
    results.set(objectId(check.ref), result)
  }
  return results
}

/** An object's health with the result of its check: what is ready and does not pass is degraded. */
export function withCheck(health: ObjectHealth, check: ProbeResult | undefined): ObjectHealth {
  if (check === undefined) return health
  if (check.passed || health.state !== 'healthy') return { ...health, check }
  return { ...health, state: 'degraded', message: check.message, check }
}

async function runCheck(
  cluster: Cluster,
  { ref, object }: DeclaredCheck,
  healthUrls: HealthUrls | undefined,
  ctx: Context,
): Promise<ProbeResult> {
  try {
    const check = parseCheck(object)
    if (check === undefined) return { passed: true, message: 'asks for no check' }
    return await probe(cluster, { ...check, ref }, healthUrls, ctx)
  } catch (error) {
    if (ctx.signal.aborted || !isLadingError(error)) throw error
    return { passed: false, message: `the health check cannot be run: ${error.message}` }
  }
}
