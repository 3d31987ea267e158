import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { noNpmClients, npmClients } from '../../../testbed/npm-clients.ts'
import { runHelm } from './testdata/run-helm.ts'

const run = promisify(execFile)

const down =
  '{{ if gt .n 0 }}{{ with .n }}{{ range list . }}{{ include "it" (dict "n" (sub . 1)) | trim }}{{ end }}{{ end }}{{ end }}x'

// What nests too deeply for the process is rendered in a worker with a larger stack.
it.skipIf(noNpmClients !== undefined)(
  'templates may include themselves as often as with helm, and no oftener',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lading-deep-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const helm: string[] = []
    for (const [name, body] of [
      ['deep', down],
      ['endless', '{{ include "it" . }}'],
    ] as const) {
      await mkdir(join(folder, name, 'templates'), { recursive: true })
      await writeFile(join(folder, name, 'Chart.yaml'), 'apiVersion: v2\nname: top\nversion: 1.0.0\n')
      await writeFile(join(folder, name, 'templates/_it.tpl'), `{{ define "it" }}${body}{{ end }}`)
      await writeFile(join(folder, name, 'templates/a.yaml'), 'a: {{ include "it" (dict "n" 1000) | sha256sum }}\n')
      const outcome = await runHelm((await npmClients())!.helm, ['release-name', name, '-n', 'default'], folder)
      helm.push('text' in outcome ? outcome.text : outcome.error)
    }
    const bin = fileURLToPath(new URL('../../../bin/lading', import.meta.url))
    const template = (name: string): Promise<{ stdout: string }> =>
      run(process.execPath, [bin, 'template', 'release-name', name, '-n', 'default'], { cwd: folder })
    const { stdout: deep } = await template('deep')
    const endless = await template('endless').then(
      () => '',
      (error: { stderr: string }) => error.stderr,
    )
    expect(deep.trim()).toBe(helm[0]!.trim())
    const end = 'error calling include: rendering template has a nested reference name: it: unable to execute template'
    expect(helm[1]).toContain(end)
    expect(endless).toContain(end)
    // Helm says the same a thousand times over.
    expect(endless.length).toBeLessThan(10_000)
  },
)
