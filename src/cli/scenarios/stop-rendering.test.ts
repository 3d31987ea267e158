import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeFiles } from '../../../testing/write-files.ts'
import { context } from '../../core/index.ts'
import { connect, listObjects } from '../../kube/index.ts'
import { type CliSandbox, openCliSandbox } from '../testdata/cli-sandbox.ts'

const program = fileURLToPath(new URL('../run.ts', import.meta.url))
const leases = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' }
const said = 'goes on in a thread of its own'
const template = 'a: {{ range until 1000000 }}{{ bcrypt "x" | trunc 0 }}{{ end }}\n'
const chartFile = 'apiVersion: v2\nname: burn\nversion: 1.0.0\n'

describe('a signal while templates only compute', () => {
  let cli: CliSandbox
  beforeAll(async () => {
    cli = await openCliSandbox()
    await writeFiles(cli.cwd, {
      'burn/Chart.yaml': chartFile,
      'burn/templates/a.yaml': template,
      'pack/Pack.yaml': 'apiVersion: sherpack/v1\nkind: application\nmetadata: {name: web, version: 1.0.0}\n',
      'pack/values.yaml': '{}',
      'pack/templates/a.yaml':
        'a: {% for a in range(10000) %}{{ tpl("{% for b in range(10000) %}{% endfor %}", {}) }}{% endfor %}\n',
      'overlay/kustomization.yaml': 'helmCharts: [{name: burn, releaseName: burn}]\n',
      'overlay/charts/burn/Chart.yaml': chartFile,
      'overlay/charts/burn/values.yaml': '{}',
      'overlay/charts/burn/templates/a.yaml': template,
    })
  })
  afterAll(() => cli.close())

  it.each([
    ['template shop pack', 'SIGINT', 130],
    ['build overlay --enable-helm', 'SIGTERM', 143],
    ['plan install shop burn', 'SIGINT', 130],
    ['install shop burn', 'SIGTERM', 143],
  ] as const)('ends `lading %s` by %s with %i, in one sentence', async (line, signal, code) => {
    const args = [program, ...line.split(' '), '--log-level', 'debug', '--kubeconfig', 'kubeconfig']
    const child = spawn(process.execPath, args, { cwd: cli.cwd, stdio: 'pipe' })
    const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
    await seen(child.stderr, said)
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([code, null])
    expect(await stdout).toBe('')
    expect((await stderr).split('\n').filter((each) => each.startsWith('error: '))).toEqual([
      'error: the operation was cancelled',
    ])
  })

  it('leaves neither a revision nor a lock behind', async () => {
    const ctx = context()
    const cluster = await connect({ kubeconfig: cli.sandbox.kubeconfig }, ctx)
    try {
      expect((await cli.lading('list -o json')).stdout.trim()).toBe('[]')
      expect((await listObjects(cluster, { gvk: leases, namespace: 'default' }, ctx)).items).toEqual([])
    } finally {
      await cluster.close()
    }
  })
})

function seen(stream: NodeJS.ReadableStream, wanted: string): Promise<void> {
  let all = ''
  return new Promise((resolve, reject) => {
    stream.on('data', (chunk) => {
      all += String(chunk)
      if (all.includes(wanted)) resolve()
    })
    stream.on('end', () => reject(new Error(`it ended with: ${all}`)))
  })
}
