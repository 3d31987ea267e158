import { openSandbox } from '../testdata/open-sandbox.ts'
import { stopSuite } from '../testdata/stop-suite.ts'

stopSuite('the sandbox', openSandbox, { kind: 'configmaps', driver: 'secrets', step: 3 })
