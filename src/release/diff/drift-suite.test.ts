import { afterAll, beforeAll } from 'vitest'
import { context } from '../../core/index.ts'
import { connect } from '../../kube/index.ts'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import { driftSuite } from '../testdata/drift-suite.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.stop())

driftSuite(() => connect({ kubeconfig: sandbox.kubeconfig }, context()))
