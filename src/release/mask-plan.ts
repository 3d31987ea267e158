import type { Plan } from './plan.ts'
import type { ContentInputs } from './render-content.ts'
import type { SavedPlan } from './saved-plan.ts'

/** What is shown in place of a seed or a key. */
export const maskedSeed = '***'

/** A plan as it may be shown: without the seed of its random values and the key of its Secrets, and so without the means to apply it. */
export function maskPlan<P extends Plan & Partial<Pick<SavedPlan, 'inputs'>>>(plan: P): P {
  const keyed = plan.key === undefined ? plan : { ...plan, key: maskedSeed }
  const { inputs } = keyed
  if (inputs?.content?.seed === undefined) return keyed
  const masked: ContentInputs = { ...inputs.content, seed: maskedSeed }
  return { ...keyed, inputs: { ...inputs, content: masked } }
}
