import { expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../testbed/npm-clients.ts'
import { checkRandomOverlays } from './testdata/check-random-overlays.ts'

const reason = noNpmClients === undefined ? '' : ` (${noNpmClients})`
const runs = Number(process.env['LADING_KUSTOMIZE_RUNS'] ?? 40)

it.skipIf(noNpmClients !== undefined)(
  `random overlays over random bases build as with the original${reason}`,
  { timeout: 30_000 + runs * 1000 },
  async () => {
    const clients = await npmClients()
    if (clients === undefined) return
    const { built, sameBytes } = await checkRandomOverlays([clients.kubectl, 'kustomize'], runs)
    console.log(`kustomize: ${sameBytes} of ${built} random overlays equal to the byte`)
    // Were most of them refused, agreement would say little.
    expect(built).toBeGreaterThan(runs / 2)
  },
)
