export { needsDeeperStack } from './needs-deeper-stack.ts'
export { type Job, type StoppableOptions, runStoppable } from './run-stoppable.ts'
