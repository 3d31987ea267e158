import { afterAll, beforeAll, describe, it } from 'vitest'
import { noNpmClients, type NpmClients, npmClients } from '../../../../testbed/npm-clients.ts'
import { type Sandbox, startSandbox } from '../../start.ts'
import { type ClientCase, runClientCase } from './client-case.ts'

/** Cases by what they are about. */
export type ClientSections = Readonly<Record<string, readonly ClientCase[]>>

/** Declares cases over one sandbox; they run side by side, each in a namespace of its own. */
export function clientSuite(client: 'kubectl' | 'helm', sections: ClientSections): void {
  const reason = noNpmClients === undefined ? '' : ` (${noNpmClients})`
  describe.skipIf(noNpmClients !== undefined)(`${client} on the sandbox${reason}`, () => {
    let sandbox: Sandbox | undefined
    let clients: NpmClients | undefined
    beforeAll(async () => {
      clients = await npmClients()
      sandbox = await startSandbox()
    })
    afterAll(() => sandbox?.stop())

    let count = 0
    for (const [section, cases] of Object.entries(sections)) {
      describe.concurrent(section, () => {
        for (const one of cases.filter(({ e2eOnly = false }) => !e2eOnly)) {
          const unique = `${client}-${++count}`
          it(one.name, { timeout: 90_000 }, async () => {
            if (clients === undefined || sandbox === undefined) throw new Error('nothing to test')
            await runClientCase(one, clients, sandbox.kubeconfig, unique)
          })
        }
      })
    }
  })
}
