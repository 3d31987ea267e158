import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../../sandbox/index.ts'
import { deployment } from '../../testdata/manifests.ts'
import { type CliResult, runCli } from '../../testdata/run-cli.ts'

describe('looking at releases', () => {
  let sandbox: Sandbox
  let cwd: string

  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'lading-cli-'))
    sandbox = await startSandbox({ kubeconfig: join(cwd, 'kubeconfig') })
    writeFileSync(join(cwd, 'good.yaml'), deployment(''))
    writeFileSync(join(cwd, 'bad.yaml'), deployment('lading.dev/simulate: crash-loop'))
    await lading('install', 'good', 'good.yaml', '-n', 'one', '--create-namespace', '--wait')
    await lading('install', 'bad', 'bad.yaml', '-n', 'two', '--create-namespace', '--wait', '--timeout', '2m')
  })

  afterAll(async () => {
    await sandbox.stop()
    rmSync(cwd, { recursive: true })
  })

  it('list shows the releases of a namespace, of all with -A, and of a status', async () => {
    expect((await lading('list', '-n', 'one')).stdout).toMatch(
      /^NAME +NAMESPACE +REVISION +STATUS +UPDATED +SOURCE\ngood +one +1 +deployed +\S+ +good\n$/,
    )
    expect(await names('list', '-A')).toEqual(['good', 'bad'])
    expect(await names('list', '-A', '--status', 'failed')).toEqual(['bad'])
    expect(await names('list', '-A', '--filter', 'g*')).toEqual(['good'])
    expect((await lading('list', '-A', '--short')).stdout).toBe('good\nbad\n')
    expect((await lading('list', '--status', 'nonsense')).code).toBe(2)
  })

  it('list of a namespace without releases prints an empty list', async () => {
    const { code, stdout } = await lading('list', '-n', 'default', '-o', 'json')
    expect({ code, data: JSON.parse(stdout) as unknown }).toEqual({ code: 0, data: [] })
  })

  it('status shows the revision and how each object is doing', async () => {
    const { code, stdout } = await lading('status', 'good', '-n', 'one')
    expect(code).toBe(0)
    expect(stdout).toMatch(/SOURCE +HEALTH\ngood +one +1 +deployed .* healthy\n\nOBJECT +STATE +READY/)
    expect(stdout).toMatch(/Deployment.apps one\/web +healthy +1\/1/)
  })

  it('status -o json names what is wrong with a failed release', async () => {
    const data = JSON.parse((await lading('status', 'bad', '-n', 'two', '-o', 'json')).stdout) as {
      objects: { message: string }[]
    }
    expect(data).toMatchObject({ status: 'failed', health: 'failed', objects: [{ state: 'failed' }] })
    expect(data.objects[0]?.message).toContain('CrashLoopBackOff')
  })

  it('status says that declared checks were not run, and runs them with --checks', async () => {
    const url = 'lading.dev/health-check: "true", lading.dev/health-check-url: "http://127.0.0.1:1/"'
    const manifest = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, annotations: {${url}}}\n`
    writeFileSync(join(cwd, 'checked.yaml'), manifest)
    await lading('install', 'checked', 'checked.yaml', '-n', 'three', '--create-namespace')
    expect((await lading('status', 'checked', '-n', 'three')).stdout).toMatch(
      /HEALTH +CHECKS\n.* healthy +1 not run \(--checks\)\n/,
    )
    expect((await lading('status', 'checked', '-n', 'three', '--checks')).stdout).toMatch(
      /may not be asked: give --allow-health-url 127\.0\.0\.1:1 to allow it/,
    )
    const allowed = ['--allow-health-url', '127.0.0.1:1', '--allow-local-health-url']
    expect((await lading('status', 'checked', '-n', 'three', '--checks', ...allowed)).stdout).toMatch(
      / degraded +0 of 1 passed\n[^]*connect ECONNREFUSED/,
    )
    const { stdout } = await lading('status', 'checked', '-n', 'three', '-o', 'json')
    expect(JSON.parse(stdout)).toMatchObject({ health: 'healthy', checks: { declared: 1, run: false } })
  })

  it('status of a release that is not there ends as not found', async () => {
    expect(await lading('status', 'nothing')).toMatchObject({ code: 8, stdout: '' })
  })

  async function names(...argv: string[]): Promise<string[]> {
    return (JSON.parse((await lading(...argv, '-o', 'json')).stdout) as { name: string }[]).map(({ name }) => name)
  }

  function lading(...argv: string[]): Promise<CliResult> {
    return runCli({ cwd }, ...argv, '--kubeconfig', 'kubeconfig')
  }
})
