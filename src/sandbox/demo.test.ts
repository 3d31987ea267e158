import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('the demo of the README goes as it says', { timeout: 60_000 }, async () => {
  const demo = fileURLToPath(new URL('../../examples/demo.ts', import.meta.url))
  const { stderr } = await promisify(execFile)(process.execPath, [demo])
  expect(stderr).toMatch(/spec\.replicas/)
  expect(stderr).toMatch(/\nDone in /)
})
