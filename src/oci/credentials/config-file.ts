import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isRecord, LadingError, writeError } from '../../core/index.ts'

/** A docker config file; fields that Lading does not know are kept as they are. */
export type ConfigFile = Record<string, unknown>

const maxConfigBytes = 4 * 1024 * 1024

/** Where docker, podman and their like keep logins, in the order in which they are searched. */
export function configPaths(env: NodeJS.ProcessEnv, home: string): readonly [string, ...string[]] {
  const docker = join(env['DOCKER_CONFIG'] || join(home, '.docker'), 'config.json')
  const runtime = env['XDG_RUNTIME_DIR']
  const containers = [
    ...(env['REGISTRY_AUTH_FILE'] ? [env['REGISTRY_AUTH_FILE']] : []),
    ...(runtime ? [join(runtime, 'containers', 'auth.json')] : []),
    join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'containers', 'auth.json'),
  ]
  return [docker, ...containers]
}

/** Reads a config file; undefined where there is none. Its content is never part of an error. */
export async function readConfig(path: string): Promise<ConfigFile | undefined> {
  const invalid = (what: string, cause?: unknown): LadingError =>
    new LadingError('oci.credentials-invalid', `${path} ${what}`, { path }, { cause })
  let text: string
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = await file.stat()
    if (!stats.isFile()) throw invalid('is no regular file')
    if (stats.size > maxConfigBytes) throw invalid(`has more than the ${maxConfigBytes} bytes that are allowed`)
    text = await file.readFile('utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error instanceof LadingError ? error : invalid(`cannot be read: ${code ?? 'unknown reason'}`, error)
  }
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's own message quotes the text, which holds secrets.
    throw invalid('is no JSON')
  }
  if (!isRecord(value)) throw invalid('is no JSON map')
  return value
}

/** Replaces a config file in one step, readable by its owner alone; a link stays one. */
export async function writeConfig(path: string, config: ConfigFile): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    {
      await using file = await open(temporary, 'wx', 0o600)
      await file.writeFile(`${JSON.stringify(config, undefined, '\t')}\n`)
      await file.sync()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    const full = writeError(path, error)
    if (full.code === 'disk.full') throw full
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason'
    throw new LadingError('oci.credentials-invalid', `${path} cannot be written: ${code}`, { path }, { cause: error })
  }
}
