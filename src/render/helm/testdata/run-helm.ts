import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Outcome } from './compare-output.ts'

const suffix = /\n*Use --debug flag to render out invalid YAML\s*$/

/** Runs the real `helm template`, with a home of its own so that nothing of this machine plays a part. */
export async function runHelm(helm: string, args: readonly string[], cwd: string): Promise<Outcome> {
  const home = await mkdtemp(join(tmpdir(), 'lading-helm-'))
  try {
    return await spawn(helm, ['template', ...args], cwd, home)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

function spawn(helm: string, args: readonly string[], cwd: string, home: string): Promise<Outcome> {
  const env = { HOME: home, HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home, KUBECONFIG: '/dev/null' }
  const options = { cwd, env, maxBuffer: 1 << 28, timeout: 120_000 }
  return new Promise((resolve) => {
    execFile(helm, args, options, (failed, stdout, stderr) => {
      resolve(failed === null ? { text: stdout } : { error: errorOf(stderr) })
    })
  })
}

// Logs stand before the error, warnings among them.
function errorOf(stderr: string): string {
  const at = stderr.search(/^Error: /m)
  return stderr.slice(at < 0 ? 0 : at + 'Error: '.length).replace(suffix, '')
}
