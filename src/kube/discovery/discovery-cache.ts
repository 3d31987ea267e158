import { createHash, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Context, isRecord, parseJson, stringifyJson } from '../../core/index.ts'
import type { ApiResource } from '../cluster.ts'
import type { ServedResources } from './fetch-discovery.ts'
import type { Transport } from '../transport/transport.ts'

/** What the last process learned of a server, kept on disk so that the next command needs no discovery. */
export interface DiscoveryCache {
  /** Undefined when there is nothing, when it is too old, or when it cannot be read as what was written. */
  read(ctx: Context): Promise<ServedResources | undefined>
  /** Best effort: a cache that cannot be written costs two requests next time, nothing else. */
  write(served: ServedResources, ctx: Context): Promise<void>
  forget(): void
}

const format = 1
const lifetimeMs = 6 * 60 * 60 * 1000

/** A cache below `directory`, one file for each server and identity. */
export function discoveryCache(directory: string, transport: Pick<Transport, 'server' | 'identity'>): DiscoveryCache {
  const key = createHash('sha256').update(`${transport.server}\0${transport.identity}`).digest('hex').slice(0, 32)
  const file = join(directory, `discovery-${key}.json`)
  return {
    async read(ctx) {
      try {
        return parse(parseJson(await readFile(file, 'utf8')), ctx.clock.now())
      } catch {
        return undefined
      }
    },
    async write(served, ctx) {
      const temporary = `${file}.${randomBytes(6).toString('hex')}`
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 })
        await writeFile(temporary, stringifyJson({ format, writtenAt: ctx.clock.now(), ...served }), { mode: 0o600 })
        await rename(temporary, file)
      } catch (error) {
        ctx.log.debug('discovery cache not written', { file, error: String(error) })
        await rm(temporary, { force: true }).catch(() => undefined)
      }
    },
    forget() {
      try {
        rmSync(file, { force: true })
      } catch {
        // The next reading overwrites it.
      }
    },
  }
}

function parse(content: unknown, now: number): ServedResources | undefined {
  if (!isRecord(content) || content['format'] !== format) return undefined
  const { writtenAt, resources, stale } = content
  if (typeof writtenAt !== 'number' || writtenAt > now || now - writtenAt > lifetimeMs) return undefined
  if (!Array.isArray(resources) || !resources.every(isApiResource)) return undefined
  // What was not answering may answer by now, and must not count as unknown for hours.
  return Array.isArray(stale) && stale.length === 0 ? { resources, stale: [] } : undefined
}

function isApiResource(value: unknown): value is ApiResource {
  if (!isRecord(value)) return false
  const names = ['group', 'version', 'kind', 'resource'].every((field) => typeof value[field] === 'string')
  const lists = ['verbs', 'shortNames', 'categories', 'subresources'].every((field) => Array.isArray(value[field]))
  return names && lists && typeof value['namespaced'] === 'boolean'
}
