import type { ContentInputs } from './render-content.ts'
import type { SavedPlan } from './saved-plan.ts'

/** What is shown in place of a seed. */
export const maskedSeed = '***'

/** A saved plan as it may be shown: without the seed that its random values come from, and so without the means to apply it. */
export function maskPlan<P extends Pick<SavedPlan, 'inputs'>>(plan: P): P {
  const { content } = plan.inputs
  if (content?.seed === undefined) return plan
  const masked: ContentInputs = { ...content, seed: maskedSeed }
  return { ...plan, inputs: { ...plan.inputs, content: masked } }
}
