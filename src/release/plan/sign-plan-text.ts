import { isRecord, LadingError, stringifyJson } from '../../core/index.ts'
import { parseYamlValue, writeYaml } from '../../core/yaml/index.ts'
import type { SigningKey } from '../../oci/index.ts'
import { readApproval } from './approval.ts'
import { planHash } from './plan-hash.ts'
import { signPlan, signPlanHash } from './plan-signature.ts'
import { parsePlan } from './saved-plan.ts'

/** A plan, or an approval of one, with a signature more. */
export interface SignedPlanText {
  /** The hash of the plan that was signed. */
  readonly plan: string
  /** What to write to the file: JSON if its name ends in .json, otherwise YAML. */
  readonly text: string
}

/** Signs the text of a plan's file, or of the file of an approval; `file` names it in messages. */
export function signPlanText(text: string, file: string, key: SigningKey): SignedPlanText {
  const { plan, content } = signed(text, file, key)
  return { plan, text: file.endsWith('.json') ? `${stringifyJson(content, 2)}\n` : writeYaml(content) }
}

function signed(text: string, file: string, key: SigningKey): { readonly plan: string; readonly content: object } {
  const value = parseYamlValue(text, { file })
  if (!isRecord(value) || value['plan_hash'] === undefined) {
    const plan = signPlan(parsePlan(text, file), key)
    return { plan: planHash(plan), content: plan }
  }
  const { plan_hash: plan, decision, signatures = [] } = readApproval(value, file)
  if (decision !== 'approve')
    throw new LadingError('usage.invalid', `${file} approves nothing: it is a denial`, { file })
  return { plan, content: { ...value, signatures: [...signatures, signPlanHash(plan, key)] } }
}
