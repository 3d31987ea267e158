import type { Plan } from '../plan.ts'
import type { ContentInputs } from '../source/content-inputs.ts'
import type { SavedContent, SavedPlan } from './saved-plan.ts'

/** What is shown in place of a seed, a key or a value. */
export const maskedSeed = '***'

/**
 * A plan as it may be shown: without the seed of its random values, the key of its Secrets and what `--set` gave, and so without the means to
 * apply it.
 */
export function maskPlan<P extends Plan & Partial<Pick<SavedPlan, 'inputs'>>>(plan: P): P {
  const keyed = plan.key === undefined ? plan : { ...plan, key: maskedSeed }
  const { inputs } = keyed
  if (inputs?.made !== undefined) return { ...keyed, inputs: { ...inputs, made: maskedContent(inputs.made) } }
  if (inputs?.content === undefined) return keyed
  const { seed, set } = inputs.content
  const masked: ContentInputs = {
    ...inputs.content,
    ...(seed === undefined ? {} : { seed: maskedSeed }),
    // Which value was set may be in the text of the value too, so that nothing of it is shown.
    ...(set === undefined ? {} : { set: set.map(({ flag }) => ({ flag, text: maskedSeed })) }),
  }
  return { ...keyed, inputs: { ...inputs, content: masked } }
}

/** Values that were given in code may be secret, as those of `--set` may be. */
function maskedContent({ userValues: _, ...made }: SavedContent): SavedContent {
  return Object.keys(made.values).length === 0
    ? made
    : { ...made, values: maskedSeed as unknown as SavedContent['values'] }
}
