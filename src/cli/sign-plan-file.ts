import { isRecord, LadingError, stringifyJson } from '../core/index.ts'
import type { SigningKey } from '../oci/index.ts'
import { pathFrom } from './connect.ts'
import type { Io } from './io.ts'
import { readText } from './files/read-text.ts'
import { writePrivateFile } from './files/write-private-file.ts'

/** Writes a signature into the file of a plan, or of the approval of one. */
export async function signPlanFile(io: Io, file: string, key: SigningKey) {
  const path = pathFrom(io, file)
  const text = await readText(io, path)
  const { plan, content } = await signed(file, text, key)
  const { writeYaml } = await import('../core/yaml/index.ts')
  await writePrivateFile(path, file.endsWith('.json') ? `${stringifyJson(content, 2)}\n` : writeYaml(content))
  return { file, plan, signed: true }
}

async function signed(file: string, text: string, key: SigningKey): Promise<{ plan: string; content: object }> {
  const [{ parsePlan, planHash, readApproval, signPlan, signPlanHash }, { parseYamlValue }] = await Promise.all([
    import('../release/index.ts'),
    import('../core/yaml/index.ts'),
  ])
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
