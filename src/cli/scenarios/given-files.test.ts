import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../testdata/run-cli.ts'

const run = promisify(execFile)
const bin = fileURLToPath(new URL('../../../bin/lading', import.meta.url))
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'

let cwd: string
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'lading-given-files-'))
  writeFileSync(join(cwd, 'a.yaml'), configMap)
  writeFileSync(join(cwd, 'plan.json'), '{}')
  writeFileSync(join(cwd, 'a.tgz'), '')
  const kubeconfig = {
    'current-context': 'x',
    contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
    clusters: [{ name: 'x', cluster: { server: 'https://127.0.0.1:1', 'certificate-authority': '/dev/zero' } }],
    users: [{ name: 'x', user: {} }],
  }
  writeFileSync(join(cwd, 'ca'), JSON.stringify(kubeconfig))
  // A component's file is recognised by its ending.
  symlinkSync('/dev/zero', join(cwd, 'component.toml'))
  symlinkSync('/dev/zero', join(cwd, 'chart.tgz'))
})
afterAll(() => rmSync(cwd, { recursive: true }))

describe('a device in the place of a file is refused at once', () => {
  it.each([
    'apply /dev/zero --kubeconfig a.yaml',
    'template a /dev/zero',
    'template a chart.tgz',
    'lint chart.tgz',
    'template a a.yaml -f /dev/zero',
    'template a a.yaml --set-file a=/dev/zero',
    'sign plan.json --key /dev/zero',
    'verify oci://127.0.0.1:1/a:v1 --key /dev/zero',
    'verify a.tgz --keyring /dev/zero',
    'pull oci://127.0.0.1:1/a:v1 --registry-ca /dev/zero',
    'pull oci://127.0.0.1:1/a:v1 --identity /dev/zero',
    'pull oci://127.0.0.1:1/a:v1 --verify /dev/zero',
    'pull a --repo https://127.0.0.1:1 --ca-file /dev/zero',
    'pull a --repo https://127.0.0.1:1 --key-file /dev/zero --cert-file /dev/zero',
    'list --kubeconfig /dev/zero',
    'list --kubeconfig ca',
    'deploy component.toml',
  ])('lading %s', async (command) => {
    const { code, stderr } = await runCli({ cwd, env: { HOME: cwd } }, ...command.split(' '))
    expect(stderr).toMatch(/(?:\/dev\/zero|component\.toml|chart\.tgz) is a device, not a regular file/)
    expect(code).toBe(3)
  })
})

it('files of process substitution and /dev/stdin are read', async () => {
  const script = 'echo "b: 1" | "$0" "$1" template a <(cat a.yaml) -f <(echo "a: 1") -f /dev/stdin -f /dev/null'
  const { stdout } = await run('bash', ['-c', script, process.execPath, bin], { cwd })
  expect(stdout).toContain('kind: ConfigMap')
})
