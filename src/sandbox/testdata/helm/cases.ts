import type { ClientCase } from '../client/client-case.ts'
import { releaseCases } from './release-cases.ts'

/** Everything that the tests do with Helm, by what it is about. */
export const helmCases: Readonly<Record<string, readonly ClientCase[]>> = { releases: releaseCases }
