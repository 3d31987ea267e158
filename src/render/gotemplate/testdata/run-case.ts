import { isLadingError } from '../../../core/index.ts'
import { toBytes } from '../format/bytes.ts'
import { TemplateSet } from '../template-set.ts'
import { decodeData } from './decode-data.ts'
import type { CaseResult, TemplateCase } from './case-file.ts'
import { caseFunctions } from './case-functions.ts'

/** Executes a case with Lading's engine. */
export function runCase({ templates, execute, data, missingKey }: TemplateCase): CaseResult {
  try {
    const set = new TemplateSet({ functions: caseFunctions, missingKey, name: 'root' })
    for (const { name, text } of templates) set.parse(name, text)
    return { output: Buffer.from(toBytes(set.execute(execute, decodeData(data)))).toString('base64') }
  } catch (error) {
    if (!isLadingError(error, 'template.failed', 'template.syntax')) throw error
    return { error: error.message }
  }
}
