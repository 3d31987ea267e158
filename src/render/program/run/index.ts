export { isProgramFile, programIn, programName } from './program-file.ts'
export type { ProgramAccess } from './program-access.ts'
export { type ProgramRun, type RenderedProgram, renderProgram } from './render-program.ts'
