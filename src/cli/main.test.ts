import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { errorTable } from '../core/index.ts'
import type { Io } from './io.ts'
import { main } from './main.ts'

describe('lading', () => {
  it('version prints a table for people', async () => {
    const { code, stdout, stderr } = await run('version')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^VERSION +NODE +PLATFORM\n\d+\.\d+\.\d+/)
    expect(stderr).toBe('')
  })

  it('version -o json prints JSON, with the option before or after the command', async () => {
    const after = await run('version', '-o', 'json')
    const before = await run('--output', 'json', 'version')
    expect(JSON.parse(after.stdout)).toMatchObject({ node: process.versions.node })
    expect(before.stdout).toBe(after.stdout)
  })

  it('version -o yaml prints YAML', async () => {
    const { stdout } = await run('version', '-o', 'yaml')
    expect(stdout).toMatch(/^version: "\d+\.\d+\.\d+"\nnode: "/)
  })

  it('an unknown command is a usage error with a suggestion, on stderr only', async () => {
    const { code, stdout, stderr } = await run('verison')
    expect(code).toBe(errorTable['usage.invalid'].exit)
    expect(stdout).toBe('')
    expect(stderr).toBe(
      "error: unknown command 'verison' (Did you mean version?)\nnext: Read the command’s --help and correct the arguments.\n",
    )
  })

  it('an unknown output format names the choices', async () => {
    const { code, stderr } = await run('version', '-o', 'xml')
    expect(code).toBe(2)
    expect(stderr).toContain('Allowed choices are table, json, yaml')
  })

  it('with -o json an error is JSON with its code and next step', async () => {
    const { stderr } = await run('version', '--nonsense', '-o', 'json')
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'usage.invalid',
        message: "unknown option '--nonsense'",
        details: {},
        next: errorTable['usage.invalid'].next,
      },
    })
  })

  it.each(['--password=hunter2', "--password=hun'ter2'", '-phunter2'])(
    '%s is refused without its value',
    async (word) => {
      const { code, stderr } = await run('repo', 'add', 'main', 'https://charts.example', word)
      expect(code).toBe(2)
      expect(stderr).toMatch(/unknown option '(?:--password|-p)'/)
      expect(stderr).not.toMatch(/ter2/)
    },
  )

  it('a value that stands alone is not repeated', async () => {
    const { code, stderr } = await run('template', 'shop', '.', '--set', 'a=1', 'password=hunter2')
    expect(code).toBe(2)
    expect(stderr).toContain('got 3: shop, ., password=…')
  })

  it('every command has an example and the cluster options in its --help', async () => {
    const { code, stdout } = await run('version', '--help')
    expect(code).toBe(0)
    expect(stdout).toContain('Example:')
    for (const option of ['--kubeconfig', '--context', '--namespace', '--as <user>', '--as-group', '--output']) {
      expect(stdout).toContain(option)
    }
  })

  it('without a command shows the help and ends as a usage error', async () => {
    const { code, stderr } = await run()
    expect(code).toBe(2)
    expect(stderr).toContain('Usage: lading')
  })

  it('colours errors on a terminal only, and never with NO_COLOR', async () => {
    const red = '\u001B[31merror:'
    expect((await runOn({ isTTY: true }, 'nope')).stderr).toContain(red)
    expect((await runOn({ isTTY: false }, 'nope')).stderr).not.toContain(red)
    expect((await runOn({ isTTY: true, env: { NO_COLOR: '1' } }, 'nope')).stderr).not.toContain(red)
  })
})

function run(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return runOn({}, ...argv)
}

async function runOn(
  { isTTY = false, env = {} }: { isTTY?: boolean; env?: Io['env'] },
  ...argv: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  let stdout = ''
  let stderr = ''
  const code = await main(argv, {
    stdout: { write: (text) => (stdout += text), isTTY },
    stderr: { write: (text) => (stderr += text), isTTY },
    stdin: Readable.from([]),
    env,
    cwd: '/',
    signal: new AbortController().signal,
  })
  return { code, stdout, stderr }
}
