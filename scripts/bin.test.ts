import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const bin = fileURLToPath(new URL('../bin/lading', import.meta.url))

it('bin/lading runs the source of a checkout and hands on its exit code', async () => {
  const { stdout } = await run(process.execPath, [bin, 'version', '-o', 'json'])
  expect(JSON.parse(stdout)).toMatchObject({ node: process.versions.node })
  await expect(run(process.execPath, [bin, 'nonsense'])).rejects.toMatchObject({ code: 2 })
})

it('bin/lading on a Node that is too old runs on the one that the checkout brings', async () => {
  // The check reads process.versions, so a preload can make this Node look old to the first process only.
  const preload = `data:text/javascript,if(!process.env.LADING_TEST_OLD){process.env.LADING_TEST_OLD='1';Object.defineProperty(process.versions,'node',{value:'20.1.0'})}`
  const { stdout } = await run(process.execPath, ['--import', preload, bin, 'version', '-o', 'json'])
  const { node } = JSON.parse(stdout) as { node: string }
  expect(Number(node.split('.')[0])).toBeGreaterThanOrEqual(24)
})
