import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import { runCli } from '../testdata/run-cli.ts'

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
let sandbox: Sandbox
let cwd: string

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'lading-readme-'))
  cpSync(new URL('../../../examples', import.meta.url), join(cwd, 'examples'), { recursive: true })
  sandbox = await startSandbox()
})

afterAll(async () => {
  await sandbox.stop()
  rmSync(cwd, { recursive: true })
})

it('the walk-through of the README works as it says', async () => {
  const steps = walkThrough(readme)
  expect(steps.length).toBeGreaterThan(5)
  for (const { argv, code } of steps) {
    const result = await runCli({ cwd, env: { KUBECONFIG: sandbox.kubeconfig } }, ...argv)
    expect({ command: argv.join(' '), ...result }).toMatchObject({ command: argv.join(' '), code })
  }
})

/** The commands of the block after the mark; a comment may name the exit code, which is 0 otherwise. */
function walkThrough(text: string): { argv: string[]; code: number }[] {
  const block = /<!-- walk-through -->\s*```sh\n(.*?)```/s.exec(text)?.[1] ?? ''
  return block
    .trim()
    .split('\n')
    .map((line) => {
      const [command = '', comment = ''] = line.split(' # ')
      const [program, ...argv] = command.trim().split(/\s+/)
      expect(program).toBe('lading')
      return { argv, code: Number(/exit code (\d+)/.exec(comment)?.[1] ?? 0) }
    })
}
