import { LadingError } from '../../core/index.ts'
import { loadPublicKey, type SigningKey } from '../../oci/index.ts'
import type { Plan } from '../plan.ts'
import { planHash } from './plan-hash.ts'
import type { SavedPlan } from './saved-plan.ts'

/** Adds a signature of a key to a plan; a second one of the same key adds nothing. */
export function signPlan(plan: SavedPlan, key: SigningKey): SavedPlan {
  const { signatures = [] } = plan
  const hash = planHash(plan)
  if (isSigned(hash, signatures, [key.publicKey.pem])) return plan
  return { ...plan, signatures: [...signatures, signPlanHash(hash, key)] }
}

/** The signature of a plan's hash, in base64: for a plan that is approved by its hash alone. */
export function signPlanHash(hash: string, key: SigningKey): string {
  return Buffer.from(key.sign(signedText(hash))).toString('base64')
}

/** Refuses a plan that none of the keys signed, in itself or by a signature that came beside it; without keys nothing is asked. */
export function verifyPlan(
  plan: Plan & Partial<Pick<SavedPlan, 'signatures'>>,
  keys: readonly string[],
  others: readonly string[] = [],
): void {
  if (keys.length === 0) return
  const signatures = [...(plan.signatures ?? []), ...others]
  if (isSigned(planHash(plan), signatures, keys)) return
  const { name, namespace } = plan.release
  const what = `the plan for ${namespace}/${name}`
  if (signatures.length === 0) throw new LadingError('signature.missing', `${what} is not signed`, { name, namespace })
  throw new LadingError('signature.invalid', `none of the keys signed ${what} as it is`, { name, namespace })
}

function isSigned(hash: string, signatures: readonly string[], keys: readonly string[]): boolean {
  const publicKeys = keys.map(loadPublicKey)
  const text = signedText(hash)
  return signatures.some((one) => publicKeys.some((key) => key.verify(text, Buffer.from(one, 'base64'))))
}

/** Says what is signed, so that a signature of something else with the same key does not count for a plan. */
function signedText(hash: string): Uint8Array {
  return Buffer.from(`lading.dev/plan-signature/v1\n${hash}\n`)
}
