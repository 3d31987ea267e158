import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeFiles } from '../../../testing/write-files.ts'

const execute = promisify(execFile)

/** The real helm, bound to a cluster, with a folder of its own. */
export interface HelmClient {
  /** Runs a command in a namespace and gives what it printed. */
  run(namespace: string, ...args: string[]): Promise<string>
  /** Writes a chart of these templates and gives its path. */
  chart(name: string, templates: Readonly<Record<string, string>>): Promise<string>
  close(): Promise<void>
}

/** Opens helm on a cluster. */
export async function openHelm(binary: string, kubeconfig: string): Promise<HelmClient> {
  const folder = await mkdtemp(join(tmpdir(), 'lading-helm-'))
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, KUBECONFIG: kubeconfig }
  return {
    async run(namespace, ...args) {
      const { stdout } = await execute(binary, ['--namespace', namespace, ...args], { env, cwd: folder })
      return stdout
    },
    async chart(name, templates) {
      const chart = join(folder, name)
      const files = {
        'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
        'values.yaml': 'value: default\n',
        ...Object.fromEntries(Object.entries(templates).map(([file, text]) => [`templates/${file}`, text])),
      }
      return writeFiles(chart, files)
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
