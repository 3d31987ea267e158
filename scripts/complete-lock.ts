import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isRecord } from '../src/core/index.ts'

/**
 * Adds the platforms that `npm install` left out of package-lock.json: `npm ci` refuses a lock without an entry for every optional
 * dependency, and npm drops those that its registry could not give when the lock was made. Only a machine of such a
 * platform fetches what is added here.
 */
export function completeLock(lock: Record<string, unknown>): string[] {
  const packages = lock['packages']
  if (!isRecord(packages)) return []
  const added: string[] = []
  for (const entry of Object.values(packages)) {
    if (!isRecord(entry) || !isRecord(entry['optionalDependencies'])) continue
    for (const [name, version] of Object.entries(entry['optionalDependencies'])) {
      const key = `node_modules/${name}`
      const platform = platformOf(name)
      if (packages[key] !== undefined || platform === undefined) continue
      packages[key] = { version, ...platform, ...(entry['dev'] === true ? { dev: true } : {}), optional: true }
      added.push(`${name}@${String(version)}`)
    }
  }
  lock['packages'] = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
  return added
}

/**
 * Removes what packages say about the Node that they need: `npm ci` would hold it against the Node that runs npm, but every script
 * runs on the one that the npm package `node` brings.
 */
export function dropEngines(lock: Record<string, unknown>): void {
  const packages = isRecord(lock['packages']) ? lock['packages'] : {}
  for (const [key, entry] of Object.entries(packages)) {
    if (key !== '' && isRecord(entry)) delete entry['engines']
  }
}

/** The entries without an integrity, as `name@version`: npm would install whatever a registry gives under that name. */
export function withoutIntegrity(lock: Record<string, unknown>): string[] {
  const packages = isRecord(lock['packages']) ? lock['packages'] : {}
  return Object.entries(packages).flatMap(([key, entry]) =>
    key === '' || !isRecord(entry) || entry['link'] === true || typeof entry['integrity'] === 'string'
      ? []
      : [`${key.replace(/^.*node_modules\//, '')}@${String(entry['version'])}`],
  )
}

/** Sets the integrity of the entries that have none, where the registry knows it, and gives those that it does not have. */
export async function addIntegrity(
  lock: Record<string, unknown>,
  integrityOf: (spec: string) => Promise<string | undefined>,
): Promise<string[]> {
  const packages = isRecord(lock['packages']) ? lock['packages'] : {}
  const unknown: string[] = []
  for (const spec of withoutIntegrity(lock)) {
    const key = `node_modules/${spec.slice(0, spec.lastIndexOf('@'))}`
    const { version, ...entry } = packages[key] as Record<string, unknown>
    const integrity = await integrityOf(spec)
    if (integrity === undefined) unknown.push(spec)
    else packages[key] = { version, integrity, ...entry }
  }
  return unknown
}

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const processors = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64']

/** Packages of prebuilt programs end in the platform that they are for: `binding-linux-arm64-musl`. */
function platformOf(name: string): Record<string, string[]> | undefined {
  const words = name.split(/[/-]/)
  if (words.includes('wasm32')) return { cpu: ['wasm32'] }
  const os = words.find((word) => systems.includes(word))
  const cpu = words.findLast((word) => processors.includes(word))
  return os === undefined || cpu === undefined ? undefined : { os: [os], cpu: [cpu] }
}

async function askNpm(spec: string): Promise<string | undefined> {
  const answer = await promisify(execFile)('npm', ['view', spec, 'dist.integrity']).catch(() => undefined)
  return answer?.stdout.trim() || undefined
}

if (import.meta.main) {
  const file = fileURLToPath(new URL('../package-lock.json', import.meta.url))
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  for (const name of completeLock(lock)) console.log(`added ${name}`)
  dropEngines(lock)
  for (const spec of await addIntegrity(lock, askNpm)) console.log(`the registry does not have ${spec}`)
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
}
