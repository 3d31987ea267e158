/**
 * Defines sources whose objects are computed by a TypeScript program.
 *
 * @module
 */
export {
  defineSource,
  type JsonSchema,
  type ProgramFiles,
  type ProgramInput,
  type ProgramObject,
  type ProgramOutput,
  type ProgramRelease,
  type SourceDefinition,
  type StandardSchema,
} from './define-source.ts'
export type { ProgramAccess } from './run/program-access.ts'
