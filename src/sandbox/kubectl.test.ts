import { afterAll, beforeAll, describe, it } from 'vitest'
import { noNpmClients, type NpmClients, npmClients } from '../../testbed/npm-clients.ts'
import { type Sandbox, startSandbox } from './start.ts'
import { runClientCase } from './testdata/client/client-case.ts'
import { kubectlCases } from './testdata/kubectl/cases.ts'

const reason = noNpmClients === undefined ? '' : ` (${noNpmClients})`

describe.skipIf(noNpmClients !== undefined)(`kubectl on the sandbox${reason}`, () => {
  let sandbox: Sandbox
  let clients: NpmClients
  beforeAll(async () => {
    const found = await npmClients()
    if (found === undefined) throw new Error('no clients')
    clients = found
    sandbox = await startSandbox()
  })
  afterAll(() => sandbox.stop())

  let count = 0
  for (const [section, cases] of Object.entries(kubectlCases)) {
    describe.concurrent(section, () => {
      for (const one of cases) {
        const unique = `kubectl-${++count}`
        it(one.name, { timeout: 90_000 }, async () => {
          await runClientCase(one, clients, sandbox.kubeconfig, unique)
        })
      }
    })
  }
})
