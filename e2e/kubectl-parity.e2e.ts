import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts'
import { runClientCase } from '../src/sandbox/testdata/client/client-case.ts'
import { normalizeTranscript } from '../src/sandbox/testdata/client/normalize.ts'
import { kubectlCases } from '../src/sandbox/testdata/kubectl/cases.ts'
import { noNpmClients, type NpmClients, npmClients } from '../testbed/npm-clients.ts'

const reason = noNpmClients === undefined ? '' : ` (${noNpmClients})`

describe.skipIf(noNpmClients !== undefined)(`kubectl sees no difference${reason}`, () => {
  let sandbox: Sandbox
  let clients: NpmClients
  beforeAll(async () => {
    const found = await npmClients()
    if (found === undefined) throw new Error('no clients')
    clients = found
    sandbox = await startSandbox({ nodes: 3 })
  })
  afterAll(() => sandbox.stop())

  const run = Date.now().toString(36)
  let count = 0
  for (const [section, cases] of Object.entries(kubectlCases)) {
    describe.concurrent(section, () => {
      for (const one of cases.filter(({ sandboxOnly }) => sandboxOnly === undefined)) {
        const unique = `parity-${run}-${++count}`
        it(one.name, async () => {
          const [real, ours] = await Promise.all(
            [inject('kubeconfig'), sandbox.kubeconfig].map((kubeconfig) =>
              runClientCase(one, clients, kubeconfig, unique),
            ),
          )
          expect(normalizeTranscript(ours ?? [], unique)).toEqual(normalizeTranscript(real ?? [], unique))
        })
      }
    })
  }
})
