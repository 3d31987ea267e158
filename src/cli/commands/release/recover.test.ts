import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context } from '../../../core/index.ts'
import { connect } from '../../../kube/index.ts'
import { createStore } from '../../../release/index.ts'
import { type Sandbox, startSandbox } from '../../../sandbox/index.ts'
import { type CliResult, runCli } from '../../testdata/run-cli.ts'

const untested = ['install', 'untested', '-', '--kubeconfig', 'kubeconfig']

describe('a release in trouble', () => {
  let sandbox: Sandbox
  let cwd: string

  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'lading-cli-'))
    sandbox = await startSandbox({ kubeconfig: join(cwd, 'kubeconfig') })
    writeFileSync(join(cwd, 'shop.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n')
    writeFileSync(join(cwd, 'tested.yaml'), tested('passes', '') + tested('fails', 'lading.dev/simulate: job-fail'))
    writeFileSync(join(cwd, 'good.yaml'), tested('smoke', ''))
  })

  afterAll(async () => {
    await sandbox.stop()
    rmSync(cwd, { recursive: true })
  })

  it('recover marks what a crash left behind as failed, once', async () => {
    await lading('install', 'shop', 'shop.yaml')
    await interrupt('shop')
    expect(JSON.parse((await lading('recover', 'shop', '-o', 'json')).stdout)).toEqual([
      { name: 'shop', namespace: 'default', recovered: true, removed: [], orphans: [] },
    ])
    expect((await lading('history', 'shop')).stdout).toContain('upgrade was interrupted')
    expect(JSON.parse((await lading('recover', 'shop', '-o', 'json')).stdout)).toMatchObject([{ recovered: false }])
  })

  it('recover --stale finds the releases whose operation outlived its own timeout', async () => {
    await lading('install', 'late', 'shop.yaml', '--take-ownership')
    await interrupt('late')
    const { stdout } = await lading('recover', '--stale', '-A', '-o', 'json')
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'late', namespace: 'default', recovered: true }])
  })

  it('recover needs a name or --stale, and a release that is there', async () => {
    expect((await lading('recover')).code).toBe(2)
    expect((await lading('recover', 'shop', '--stale')).code).toBe(2)
    expect((await lading('recover', 'nothing')).code).toBe(8)
  })

  it('test runs the tests of a release', async () => {
    await lading('install', 'good', 'good.yaml')
    const { code, stdout, stderr } = await lading('test', 'good')
    expect(code).toBe(0)
    expect(stdout).toMatch(/TEST +RESULT.*\nJob.batch default\/smoke +passed/)
    expect(stderr).toContain('test hook Job.batch default/smoke succeeded')
  })

  it('test of a release without tests says so', async () => {
    await runCli({ cwd, stdin: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: untested}\n' }, ...untested)
    const { code, stderr } = await lading('test', 'untested')
    expect([code, stderr]).toEqual([0, 'warning: revision 1 of untested has no tests\n'])
  })

  it('test of a release whose test fails ends with the code of an unhealthy one', async () => {
    await lading('install', 'tested', 'tested.yaml')
    const { code, stdout, stderr } = await lading('test', 'tested', '--timeout', '2m')
    expect(code).toBe(7)
    expect(stdout).toMatch(/Job.batch default\/fails +failed/)
    expect(stderr).toContain('test hook Job.batch default/fails failed')
  })

  function lading(...argv: string[]): Promise<CliResult> {
    return runCli({ cwd }, ...argv, '--kubeconfig', 'kubeconfig')
  }

  /** Writes what a process leaves behind that is killed in the middle of an upgrade, long ago. */
  async function interrupt(name: string): Promise<void> {
    const ctx = context()
    const cluster = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
    const store = createStore({ driver: 'secrets' }, cluster)
    const stored = await store.get({ name, namespace: 'default', version: 1 }, ctx)
    if (stored === undefined) throw new Error(`no release ${name}`)
    const state = {
      status: 'pending-upgrade',
      started_at: '2020-01-01T00:00:00Z',
      timeout: 1,
      previous_version: 1,
    } as const
    await store.create({ ...stored.record, version: 2, state }, ctx)
    await cluster.close()
  }
})

function tested(name: string, annotation: string): string {
  return `
---
apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  annotations: {helm.sh/hook: test}
spec:
  backoffLimit: 0
  template:
    metadata: {annotations: {${annotation}}}
    spec: {restartPolicy: Never, containers: [{name: main, image: registry.example/test}]}
`
}
