import { crashSuite } from '../testdata/crash-suite.ts'
import { openSandbox } from '../testdata/open-sandbox.ts'

crashSuite('the sandbox', openSandbox, { kind: 'configmaps', driver: 'secrets' })
crashSuite('the sandbox', openSandbox, { kind: 'configmaps', driver: 'helm', step: 4 })
crashSuite('the sandbox', openSandbox, { kind: 'workloads', driver: 'secrets', step: 6, kills: [3] })
