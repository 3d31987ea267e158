import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { requireGo } from './go-module.ts'
import { TestbedError } from './testbed-error.ts'

/** What Go made of one case: what it printed (base64), or its error. */
export type GoTemplateResult = { readonly output: string } | { readonly error: string }

/** Executes cases with Go's own text/template; the program is testbed/modules/gotemplate. */
export async function executeWithGo(cases: readonly unknown[]): Promise<GoTemplateResult[]> {
  await requireGo('the template program')
  const cwd = fileURLToPath(new URL('./modules/gotemplate', import.meta.url))
  const go = spawn('go', ['run', '.'], { cwd, stdio: ['pipe', 'pipe', 'pipe'] })
  go.stdin.end(JSON.stringify(cases))
  const [stdout, stderr, [code]] = await Promise.all([text(go.stdout), text(go.stderr), once(go, 'close')])
  if (code !== 0) throw new TestbedError(`the template program failed:\n${stderr}`)
  const results = JSON.parse(stdout) as { output?: string; error?: string }[]
  return results.map(({ output = '', error }) => (error === undefined ? { output } : { error }))
}
