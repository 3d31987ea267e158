import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { noNpmClients, npmClients } from '../../../testbed/npm-clients.ts'
import { runHelm } from './testdata/run-helm.ts'

const run = promisify(execFile)

const down =
  '{{ if gt .n 0 }}{{ with .n }}{{ range list . }}{{ include "it" (dict "n" (sub . 1)) | trim }}{{ end }}{{ end }}{{ end }}x'

// The stack belongs to the process: this is the one that `bin/lading` asks for.
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
    const lines = (await readFile(new URL('../../../bin/lading', import.meta.url), 'utf8')).split('\n')
    const flags = lines[0]!.split(' ').filter((word) => word.startsWith('--'))
    const program = `
    import { readChartFolder, renderChart, writeTemplate } from ${JSON.stringify(new URL('./index.ts', import.meta.url))}
    for (const name of ['deep', 'endless']) {
      const chart = await readChartFolder(name)
      try {
        console.log(JSON.stringify(writeTemplate(renderChart(chart, { release: { name: 'release-name' } }))))
      } catch (error) {
        console.log(JSON.stringify(error.message))
      }
    }`
    const args = [...flags, '--input-type=module', '-e', program]
    const { stdout } = await run(process.execPath, args, { cwd: folder })
    const [deep = '', endless = ''] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string)
    expect(deep).toBe(helm[0])
    const end = 'error calling include: rendering template has a nested reference name: it: unable to execute template'
    expect(helm[1]).toContain(end)
    expect(endless.endsWith(end)).toBe(true)
    // Helm says the same a thousand times over.
    expect(endless.length).toBeLessThan(10_000)
  },
)
