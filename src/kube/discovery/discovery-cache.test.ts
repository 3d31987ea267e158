import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { context, manualClock } from '../../core/index.ts'
import type { Discovery } from '../cluster.ts'
import { createDiscovery } from './discovery.ts'
import { configMap, type FakeServer, fakeServer, widget, widgets } from '../testing/discovery-server.ts'

const hour = 3_600_000

describe('the disk cache of discovery', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lading-discovery-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  it('spares the next process its requests, for six hours', async () => {
    const server = fakeServer()
    const clock = manualClock(1_000_000)
    const ctx = context({ clock })
    const all = await cached(server).all(ctx)
    server.paths.length = 0
    await clock.advance(6 * hour)
    expect(await cached(server).all(ctx)).toEqual(all)
    expect(server.paths).toEqual([])
    await clock.advance(1)
    await cached(server).all(ctx)
    expect(server.paths).toHaveLength(2)
  })

  it('is the owner’s alone, holds no half-written file, and tells nothing of the identity', async () => {
    const server = fakeServer()
    await cached(server).all(context())
    const files = await readdir(directory)
    expect(files).toHaveLength(1)
    const file = join(directory, files[0] ?? '')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(file + (await readFile(file, 'utf8'))).not.toContain('alice')
  })

  it('is apart for each server and each identity', async () => {
    const server = fakeServer()
    await cached(server).all(context())
    for (const other of [{ identity: 'bob' }, { server: 'https://other' }]) {
      server.paths.length = 0
      await createDiscovery({ ...server.transport, ...other }, { cacheDir: directory }).all(context())
      expect(server.paths).toHaveLength(2)
    }
    expect(await readdir(directory)).toHaveLength(3)
  })

  it.each([
    '',
    '{"format":1,',
    '[]',
    '{"format":1,"writtenAt":0,"resources":[{"kind":1}],"stale":[]}',
    '{"format":99}',
  ])('is ignored when it holds %j', async (content) => {
    const server = fakeServer()
    await cached(server).all(context())
    const [file = ''] = await readdir(directory)
    await writeFile(join(directory, file), content)
    server.paths.length = 0
    expect((await cached(server).find(configMap, context()))?.resource).toBe('configmaps')
    expect(server.paths).toHaveLength(2)
  })

  it('is read anew when a kind is unknown, and written for the next process', async () => {
    const server = fakeServer()
    await cached(server).all(context())
    server.groups.push(widgets())
    server.paths.length = 0
    expect((await cached(server).find(widget, context()))?.resource).toBe('widgets')
    expect(server.paths).toHaveLength(2)
    expect((await cached(server).find(widget, context()))?.resource).toBe('widgets')
    expect(server.paths).toHaveLength(2)
  })

  it('is forgotten when discovery is invalidated', async () => {
    const server = fakeServer()
    const first = cached(server)
    await first.all(context())
    first.invalidate()
    expect(await readdir(directory)).toEqual([])
  })

  it('does not keep that an API service was silent', async () => {
    const server = fakeServer()
    server.groups.push(widgets())
    server.silence('example.com')
    await cached(server).all(context())
    server.paths.length = 0
    await cached(server).all(context())
    expect(server.paths).toHaveLength(2)
  })

  it('costs nothing but time when it cannot be written', async () => {
    const server = fakeServer()
    await writeFile(join(directory, 'file'), '')
    const discovery = createDiscovery(server.transport, { cacheDir: join(directory, 'file', 'below') })
    expect((await discovery.find(configMap, context()))?.resource).toBe('configmaps')
  })

  function cached(server: FakeServer): Discovery {
    return createDiscovery(server.transport, { cacheDir: directory })
  }
})
