export { type Job, type StoppableOptions, runStoppable } from './run-stoppable.ts'
