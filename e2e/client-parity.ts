import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts'
import { type ClientCase, runClientCase } from '../src/sandbox/testdata/client/client-case.ts'
import { transcriptText } from '../src/sandbox/testdata/client/normalize.ts'
import { noNpmClients, type NpmClients, npmClients } from '../testbed/npm-clients.ts'

/** Runs cases over the sandbox and a real API server side by side, and compares what the client printed. */
export function clientParity(
  client: 'kubectl' | 'helm',
  sections: Readonly<Record<string, readonly ClientCase[]>>,
): void {
  const reason = noNpmClients === undefined ? '' : ` (${noNpmClients})`
  describe.skipIf(noNpmClients !== undefined)(`${client} sees no difference${reason}`, () => {
    let sandbox: Sandbox | undefined
    let clients: NpmClients | undefined
    beforeAll(async () => {
      clients = await npmClients()
      sandbox = await startSandbox({ nodes: 3 })
    })
    afterAll(() => sandbox?.stop())

    const run = Date.now().toString(36)
    let count = 0
    for (const [section, cases] of Object.entries(sections)) {
      describe.concurrent(section, () => {
        for (const one of cases.filter(({ sandboxOnly }) => sandboxOnly === undefined)) {
          const unique = `parity-${run}-${++count}`
          it(one.name, async () => {
            if (clients === undefined || sandbox === undefined) throw new Error('nothing to compare')
            const ours = transcriptText(await runClientCase(one, clients, sandbox.kubeconfig, unique), unique)
            expect(ours).toBe(await onRealServer(one, clients, unique))
          })
        }
      })
    }
  })
}

/** What the client printed on the real API server, which may answer for a moment, when it is starved, that a new kind is not served: asked once more then. */
async function onRealServer(one: ClientCase, clients: NpmClients, unique: string, again = false): Promise<string> {
  try {
    return transcriptText(await runClientCase(one, clients, inject('kubeconfig'), unique), unique)
  } catch (error) {
    const starved = /could not find the requested resource|no matches for kind|have a resource type/.test(String(error))
    if (!again && starved) return await onRealServer(one, clients, unique.replace('parity', 'second'), true)
    throw new Error(`on the real API server: ${String(error)}`, { cause: error })
  }
}
