import { createHmac, randomBytes } from 'node:crypto'
import { createMask, isSecretKind, type Mask, type ObjectRef } from '../../core/index.ts'
import type { Desired } from './desired.ts'
import type { Plan } from '../plan.ts'

/** A new key for what a plan tells of Secrets; undefined where it has none. */
export function newPlanKey({ objects, hooks }: Pick<Desired, 'objects' | 'hooks'>): string | undefined {
  return [...objects, ...hooks].some(({ object }) => isSecretKind(object)) ? randomBytes(32).toString('hex') : undefined
}

/** The mask of a plan: with the plan's key, the same values get the same tokens in every process. */
export function planMask(key: string | undefined): Mask {
  return key === undefined ? createMask() : createMask(Buffer.from(key, 'hex'))
}

/** A plan in which each hash that covers values of Secrets is keyed, so that nobody without the key can try values against it. */
export function sealPlan(plan: Plan, key: string | undefined): Plan {
  if (key === undefined) return plan
  const sealed = (hash: string): string =>
    `hmac-sha256:${createHmac('sha256', Buffer.from(key, 'hex')).update(hash).digest('hex')}`
  return {
    ...plan,
    key,
    objectsHash: sealed(plan.objectsHash),
    actions: plan.actions.map((action) =>
      isSecret(action.ref) && action.hash !== undefined ? { ...action, hash: sealed(action.hash) } : action,
    ),
  }
}

function isSecret({ group, kind }: ObjectRef): boolean {
  return group === '' && kind === 'Secret'
}
