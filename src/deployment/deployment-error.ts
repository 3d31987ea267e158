import { LadingError } from '../core/index.ts'

/** No deployment has this id. */
export function noSuchDeployment(id: string): LadingError {
  return new LadingError('deployment.not-found', `deployment not found: ${id}`, { id })
}

/** No package has this id. */
export function noSuchPackage(id: string): LadingError {
  return new LadingError('package.not-found', `package not found: ${id}`, { id })
}

/** The history has no such revision. */
export function noSuchRevision(id: string, revision: number): LadingError {
  return new LadingError('deployment.no-revision', `revision ${revision} not found in history`, { id, revision })
}

/** There is nothing to go back to. */
export function noEarlierRevision(id: string): LadingError {
  return new LadingError('deployment.no-revision', `${id} has no earlier revision to go back to`, { id })
}

/** A request that cannot be carried out as it is. */
export function invalidRequest(message: string, details: Readonly<Record<string, unknown>> = {}): LadingError {
  return new LadingError('deployment.invalid', message, details)
}

/** Refuses a replica count that is not a whole number of at least 0. */
export function checkReplicas(replicas: number): void {
  if (Number.isSafeInteger(replicas) && replicas >= 0) return
  throw invalidRequest('replicas must be non-negative', { replicas })
}
