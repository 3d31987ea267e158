import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { TestbedError } from './testbed-error.ts'

/** One of our small Go modules, as it stands in the repository. */
export interface GoModule {
  readonly folder: string
  /** Hash of go.mod and go.sum: everything that a build from this module depends on. */
  readonly hash: string
  /** The version that go.mod requires of a module. */
  versionOf(modulePath: string): string
}

/** Reads `testbed/modules/<name>`. */
export async function readGoModule(name: string): Promise<GoModule> {
  const folder = fileURLToPath(new URL(`./modules/${name}`, import.meta.url))
  const goMod = await readFile(`${folder}/go.mod`, 'utf8')
  const goSum = await readFile(`${folder}/go.sum`, 'utf8')
  return {
    folder,
    hash: createHash('sha256').update(goMod).update('\0').update(goSum).digest('hex').slice(0, 12),
    versionOf: (modulePath) => {
      for (const line of goMod.split('\n')) {
        const [path, version] = line
          .trim()
          .replace(/^require /, '')
          .split(' ')
        if (path === modulePath && version?.startsWith('v') === true) return version
      }
      throw new TestbedError(`testbed/modules/${name}/go.mod does not require ${modulePath}`)
    },
  }
}

/** The folder in Go's module cache that holds a required module, downloaded if need be. */
export async function sourceFolder(moduleName: string, modulePath: string): Promise<string> {
  const { folder } = await readGoModule(moduleName)
  await requireGo(`the files of ${modulePath}`)
  const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', modulePath], { cwd: folder })
  return (JSON.parse(stdout) as { Dir: string }).Dir
}

/** Fails with one sentence where this machine has no Go. */
export async function requireGo(forWhat: string): Promise<void> {
  if (await hasGo()) return
  throw new TestbedError(
    `the testbed needs Go (1.26 or later) on the PATH to build ${forWhat}; or set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver, or LADING_TESTBED_KUBECONFIG to the kubeconfig of a running cluster`,
  )
}

/** Whether this machine has Go. */
export async function hasGo(): Promise<boolean> {
  return promisify(execFile)('go', ['version']).then(
    () => true,
    () => false,
  )
}
