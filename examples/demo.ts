/**
 * What Lading does, on a sandbox: `npm run demo`. From an overlay to an artifact to a release, by the command line and nothing else.
 * It needs nothing installed, takes seconds, and ends with an error when anything is not as it says.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { styleText } from 'node:util'
import { main } from '../src/cli/main.ts'
import { context } from '../src/core/index.ts'
import { connect, patchObject } from '../src/kube/index.ts'
import { startRegistry, startSandbox } from '../src/sandbox/index.ts'

const started = performance.now()
const signal = AbortSignal.timeout(60_000)
const folder = mkdtempSync(join(tmpdir(), 'lading-demo-'))
const examples = fileURLToPath(new URL('.', import.meta.url))

step('A Kubernetes API and a registry of our own')
const sandbox = await startSandbox({ kubeconfig: join(folder, 'kubeconfig') })
const registry = await startRegistry()
const artifact = `oci://${registry.host}/shop`
say(`${sandbox.url} answers kubectl and helm too: KUBECONFIG=${sandbox.kubeconfig}`)

try {
  step('Build an overlay into an artifact; the same objects always give the same digest')
  const first = await digestOf('push', `${artifact}:1.4`, 'overlays/first')
  assert.equal(await digestOf('push', `${artifact}:again`, 'overlays/first'), first)

  step('Install what is behind that digest, and wait until all of it runs')
  await lading(0, 'install', 'shop', `${artifact}@${first}`, '--create-namespace', '--wait')

  step('The next version: what changes from one artifact to the other')
  const second = await digestOf('push', `${artifact}:1.5`, 'overlays/second')
  await lading(2, 'diff-artifact', `${artifact}:1.4`, `${artifact}:1.5`)

  step('Plan the upgrade against the cluster, have the plan read, and apply exactly that')
  const plan = join(folder, 'plan.json')
  await lading(0, 'plan', 'upgrade', 'shop', `${artifact}@${second}`, '--out', plan)
  await lading(0, 'apply', plan, '--wait')

  step('The same upgrade again: nothing drifted, so nothing is written')
  assert.match(await lading(0, 'upgrade', 'shop', `${artifact}@${second}`), /unchanged/)

  step('Somebody scales by hand: told as drift, field and owner')
  await scaleByHand(5)
  assert.match(await lading(2, 'drift', 'shop'), /\.spec\.replicas/)

  step('A version whose image is missing: it fails at once, says why, and goes back')
  await lading(0, 'push', `${artifact}:1.6`, 'overlays/broken')
  await lading(
    7,
    'upgrade',
    'shop',
    `${artifact}:1.6`,
    '--force-conflicts',
    '--atomic',
    '--fail-grace',
    '1s',
    '--timeout',
    '30s',
  )

  step('Back to the first version')
  await lading(0, 'rollback', 'shop', '1', '--wait')
  assert.match(await lading(0, 'get', 'manifest', 'shop'), /registry\.example\/shop:1\.4\.0/)

  step('Where everything stands')
  assert.match(await lading(0, 'status', 'shop'), /deployed/)
  await lading(0, 'history', 'shop')

  step('Remove it all, in reverse')
  await lading(0, 'uninstall', 'shop')
} finally {
  await registry.stop()
  await sandbox.stop()
  rmSync(folder, { recursive: true, force: true })
}
step(`Done in ${((performance.now() - started) / 1000).toFixed(1)} s`)

/** Runs a command line, shows it and what it prints, and holds it to its exit code. */
async function lading(expected: number, ...words: string[]): Promise<string> {
  say(styleText('cyan', `$ lading ${words.map((word) => word.replace(folder, '…')).join(' ')}`))
  const argv = [...words, ...(needsRegistry(words) ? ['--plain-http'] : []), '--namespace', 'shop']
  let stdout = ''
  const io = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => process.stderr.write(text.replace(/^(?=.)/gm, '  ')) },
    stdin: Readable.from([]),
    env: { ...process.env, KUBECONFIG: sandbox.kubeconfig, XDG_CACHE_HOME: folder },
    cwd: examples,
    signal,
  }
  const code = await main(argv, io)
  if (stdout.length < 1800) say(stdout.trimEnd().replace(/^(?=.)/gm, '  '))
  assert.equal(code, expected, `lading ${words.join(' ')} ended with ${code} instead of ${expected}`)
  return stdout
}

async function digestOf(...words: string[]): Promise<string> {
  const printed: unknown = JSON.parse(await lading(0, ...words, '-o', 'json'))
  return String((printed as { digest: unknown }).digest)
}

/** The registry of the sandbox speaks HTTP without TLS. */
function needsRegistry(words: readonly string[]): boolean {
  return words[0] === 'apply' || words.some((word) => word.startsWith('oci://'))
}

/** As `kubectl scale` does it. */
async function scaleByHand(replicas: number): Promise<void> {
  const ctx = context({ signal })
  const cluster = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
  const web = { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'shop', name: 'web' }
  const byHand = { type: 'merge', subresource: 'scale', fieldManager: 'kubectl-scale' } as const
  await patchObject(cluster, web, { spec: { replicas } }, byHand, ctx)
  await cluster.close()
}

function step(title: string): void {
  say(`\n${styleText('bold', title)}`)
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
