import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Registry, startRegistry } from '../../sandbox/index.ts'
import { type CliSandbox, openCliSandbox } from '../testdata/cli-sandbox.ts'
import { watchOutput } from '../print/watch-output.ts'

const program = fileURLToPath(new URL('../run.ts', import.meta.url))
const map = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {value: "${value}"}\n`

describe.skipIf(!existsSync('/dev/full'))('lading with a full disk behind its output', () => {
  let cli: CliSandbox
  let registry: Registry
  beforeAll(async () => {
    cli = await openCliSandbox()
    const many = (value: string): string => Array.from({ length: 10 }, (_, at) => map(`c${at}`, value)).join('---\n')
    cli.write('v1.yaml', many('1'))
    cli.write('v2.yaml', many('2'))
    registry = await startRegistry()
    const head = 'type = "kubernetes_manifest"\nnamespace = "default"\n'
    cli.write('out.toml', `${head}name = "out"\nmanifest = """\n${map('out', '1')}"""\n`)
  })
  afterAll(async () => {
    await registry.stop()
    await cli.close()
  })

  it('does all of its work and says at the end that standard output is lost', async () => {
    const name = 'out'
    cli.namespace = name
    const statuses = async () => {
      const { stdout } = await cli.lading(`history ${name} -o json`)
      return (JSON.parse(stdout) as { status: string }[]).map(({ status }) => status)
    }
    const args = ['install', name, 'v1.yaml', '-n', name, '--create-namespace', '-o', 'json']
    expect(await run('standard output', ...args)).toEqual({
      code: 10,
      said: expect.stringContaining('standard output cannot be written (ENOSPC)'),
    })
    expect(await statuses()).toEqual(['deployed'])
    expect((await run('standard output', 'upgrade', name, 'v2.yaml', '-n', name)).code).toBe(10)
    expect(await statuses()).toEqual(['superseded', 'deployed'])
    expect((await run('standard output', 'uninstall', name, '-n', name)).code).toBe(10)
    expect((await cli.lading(`history ${name}`)).code).toBe(8)
  })

  it('does all of its work where standard error is lost', async () => {
    const name = 'err'
    cli.namespace = name
    const args = ['install', name, 'v1.yaml', '-n', name, '--create-namespace', '-o', 'json']
    expect((await run('standard error', ...args)).code).toBe(10)
    expect((await cli.lading(`history ${name}`)).stdout).toContain('deployed')
  })

  it('deploys a component', async () => {
    const to = ['--registry', `oci://${registry.host}/out`, '--plain-http', '--approve', 'auto', '--jobs', 'jobs.db']
    expect((await run('standard output', 'deploy', 'out.toml', ...to)).code).toBe(10)
    cli.namespace = 'default'
    expect((await cli.lading('history out')).stdout).toContain('deployed')
  })

  it('fails as ever where the work itself fails', async () => {
    expect((await run('standard output', 'install', 'x', 'missing.yaml')).code).toBe(3)
  })

  async function run(full: string, ...args: string[]): Promise<{ code: number | null; said: string }> {
    const disk = openSync('/dev/full', 'w')
    try {
      const argv = [program, ...args, '--kubeconfig', 'kubeconfig']
      const isOut = full === 'standard output'
      const child = spawn(process.execPath, argv, {
        cwd: cli.cwd,
        stdio: ['ignore', isOut ? disk : 'pipe', isOut ? 'pipe' : disk],
      })
      const said = text((isOut ? child.stderr : child.stdout)!)
      const [code] = (await once(child, 'exit')) as [number | null]
      return { code, said: await said }
    } finally {
      closeSync(disk)
    }
  }
})

describe('what was printed', () => {
  const failing = (code: string): Writable =>
    new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) })
  const fine = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() })

  it.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('is known to be lost after %s, and the work goes on', async (code) => {
    const stderr = failing(code)
    const lost = watchOutput({ stdout: fine(), stderr }, () => expect.fail('work was ended'))
    stderr.write('progress\n')
    expect(await lost()).toMatchObject({ code: 'output.lost', message: expect.stringContaining(`(${code})`) })
  })

  it('is not missed where its reader is gone', async () => {
    let gone = 0
    const stdout = failing('EPIPE')
    const lost = watchOutput({ stdout, stderr: failing('EPIPE') }, () => (gone += 1))
    stdout.write('data\n')
    expect(await lost()).toBeUndefined()
    expect(gone).toBe(1)
  })
})
