import type { Context } from '../../core/index.ts'
import { formatRef, isLadingError, isSecretKind, LadingError } from '../../core/index.ts'
import { type ApplyRequest, type ApplyTarget, probeCreate, sendApply } from './apply-request.ts'
import type { KubeResponse } from '../transport/transport.ts'

/**
 * Whether a failure is one that server-side apply gives for a malformed object: 500 without a reason. A wrong type, an
 * unknown field or a duplicate list key all come like that, but a passing failure of the storage does so too.
 */
export function isUnexplained(error: unknown): error is LadingError {
  return isLadingError(error, 'kube.server-error') && error.details.status === 500 && !error.details.reason
}

/**
 * Finds out what an unexplained failure was about by asking for a dry-run create, which names unknown fields and wrong
 * types properly. An object that passes there is applied once more: a healthy server that refuses it again means it.
 */
export async function retryOrExplain(
  target: ApplyTarget,
  request: ApplyRequest,
  refusal: LadingError,
  ctx: Context,
): Promise<KubeResponse> {
  const verdict = await probeCreate(target, target.desired, ctx)
  if (verdict instanceof LadingError) {
    throw about(target, isLadingError(verdict, 'kube.bad-request', 'kube.invalid') ? verdict : refusal)
  }
  try {
    return await sendApply(target, request, ctx)
  } catch (error) {
    if (!isUnexplained(error)) throw error
    throw about(target, error, 'kube.bad-request')
  }
}

function about(target: ApplyTarget, error: LadingError, code = error.code): LadingError {
  const details = { ...target.ref, ...error.details }
  const name = formatRef(target.ref)
  // The server quotes the offending value, which no error of a Secret may carry, not even inside its cause.
  if (isSecretKind(target.desired) && isUnexplained(error)) {
    return new LadingError(code, `${name}: the API server cannot read the object`, details)
  }
  return new LadingError(code, `${name}: ${error.message}`, details, { cause: error })
}
