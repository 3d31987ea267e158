import { crashSuite } from '../testdata/crash-suite.ts'
import { openSandbox } from '../testdata/open-sandbox.ts'

// With a step of 2, before and after every second write and the last one: together these are all the states that a crash leaves.
crashSuite('the sandbox', openSandbox, { kind: 'configmaps', driver: 'secrets', step: 2 })
crashSuite('the sandbox', openSandbox, { kind: 'configmaps', driver: 'helm', step: 4 })
crashSuite('the sandbox', openSandbox, { kind: 'workloads', driver: 'secrets', step: 6, kills: [3] })
