import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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

if (import.meta.main) {
  const file = fileURLToPath(new URL('../package-lock.json', import.meta.url))
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  for (const name of completeLock(lock)) console.log(`added ${name}`)
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
}
