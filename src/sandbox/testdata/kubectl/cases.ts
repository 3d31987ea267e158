import type { ClientCase } from '../client/client-case.ts'
import { applyCases } from './apply-cases.ts'
import { changeCases } from './change-cases.ts'
import { createCases } from './create-cases.ts'
import { deleteCases } from './delete-cases.ts'
import { getCases } from './get-cases.ts'
import { rolloutCases } from './rollout-cases.ts'
import { serverCases } from './server-cases.ts'

/** Everything that the tests do with kubectl, by what it is about. */
export const kubectlCases: Readonly<Record<string, readonly ClientCase[]>> = {
  apply: applyCases,
  create: createCases,
  get: getCases,
  rollout: rolloutCases,
  change: changeCases,
  delete: deleteCases,
  server: serverCases,
}
