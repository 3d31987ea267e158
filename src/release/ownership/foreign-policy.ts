import { type ForeignPolicy, usualIgnores } from '../../kube/index.ts'
import { crdPolicyOf } from './crd-policy.ts'

/** Which fields of others count as added to an object of the release. */
export interface ForeignOptions {
  /** Managers whose fields are neither reported nor removed; `*` stands for any run of characters. */
  readonly ignoreManagers?: readonly string[]
  /** Whether the managers and annotations of `usualIgnores` are ignored too (default: true). */
  readonly defaultIgnores?: boolean
}

/** The policy for the objects of a release. */
export function foreignPolicyOf({ ignoreManagers = [], defaultIgnores = true }: ForeignOptions): ForeignPolicy {
  const { managers, annotations } = defaultIgnores ? usualIgnores : { managers: [], annotations: [] }
  // A shared CRD belongs to no single release: what it has beyond our own may be another's.
  const exempts: ForeignPolicy['exempts'] = (object) => crdPolicyOf(object) === 'shared'
  return { managers: [...managers, ...ignoreManagers], annotations, exempts }
}
