import type { Context, KubeObject, ObjectRef, StatusCause } from '../../core/index.ts'
import { isLadingError, LadingError } from '../../core/index.ts'
import type { ApiResource, Cluster } from '../cluster.ts'
import { writeQuery } from './create.ts'
import { collectionPath, objectPath } from '../discovery/paths.ts'
import type { KubeResponse } from '../transport/transport.ts'

/** How strictly the server treats unknown and duplicate fields. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

/** One object on its way to the server. */
export interface ApplyTarget {
  readonly cluster: Cluster
  readonly resource: ApiResource
  readonly ref: ObjectRef
  /** The object as it may be sent. */
  readonly desired: KubeObject
  readonly fieldManager: string
  readonly fieldValidation: FieldValidation
  readonly dryRun: boolean
}

/** What one request sends of a target. */
export interface ApplyRequest {
  /** Instead of the desired object. */
  readonly body?: KubeObject
  /** Take fields over. */
  readonly force?: boolean
  /** Fail with kube.conflict when the object has another resourceVersion. */
  readonly version?: string | undefined
}

/** Sends one server-side apply. */
export async function sendApply(target: ApplyTarget, options: ApplyRequest, ctx: Context): Promise<KubeResponse> {
  const { body = target.desired, force = false, version } = options
  return await target.cluster.transport.request(
    {
      method: 'PATCH',
      path: objectPath(target.resource, target.ref),
      query: { ...writeQuery(target), force: force ? true : undefined },
      body: version === undefined ? body : { ...body, metadata: { ...body.metadata, resourceVersion: version } },
      contentType: 'application/apply-patch+yaml',
    },
    ctx,
  )
}

/**
 * What the server says about the object by itself, without what is stored: `creatable`, `exists` when only the name is taken,
 * otherwise the refusal. Writes nothing.
 */
export async function probeCreate(
  target: ApplyTarget,
  body: KubeObject,
  ctx: Context,
): Promise<'creatable' | 'exists' | LadingError> {
  try {
    await target.cluster.transport.request(
      {
        method: 'POST',
        path: collectionPath(target.resource, target.ref.namespace),
        query: writeQuery({ ...target, dryRun: true }),
        body,
        repeatable: true,
      },
      ctx,
    )
    return 'creatable'
  } catch (error) {
    if (isLadingError(error, 'kube.already-exists')) return 'exists'
    if (error instanceof LadingError) return error
    throw error
  }
}

/** The causes that a refusal lists. */
export function causesOf(refusal: LadingError): readonly StatusCause[] {
  const { causes } = refusal.details
  return Array.isArray(causes) ? (causes as StatusCause[]) : []
}
