import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { context } from '../../../core/index.ts'
import { install, upgrade } from '../../run/operations.ts'
import { recover } from '../../run/recover.ts'
import { config } from '../../testdata/release-objects.ts'
import { finish, sandboxReleases } from '../../testdata/sandbox-releases.ts'
import { record } from '../contract/fixtures.ts'
import { createFileStore } from './file-store.ts'
import { diskWrites, type FileWrites } from './record-files.ts'

const ctx = context()
const web = record({ name: 'web', namespace: 'shop' })

describe.each(['ENOSPC', 'EDQUOT'])('a file store on a disk that is full (%s)', (code) => {
  it('refuses a write at each of its steps with a clear error, leaves no draft, and what was there still counts', async () => {
    for (const operation of ['create', 'update', 'delete'] as const) {
      let steps = 0
      for (let failed = true; failed; steps += 1) {
        const path = await temporary()
        const good = createFileStore({ path })
        const stored = operation === 'create' ? undefined : await good.create(web, ctx)
        const full = createFileStore({ path }, fillingDisk(steps, code).writes)
        const next = { ...web, notes: 'changed' }
        const write =
          stored === undefined
            ? full.create(web, ctx)
            : operation === 'update'
              ? full.update(stored, next, ctx)
              : full.delete(stored, ctx)
        failed = await write.then(
          () => false,
          (error: unknown) => {
            expect(error).toMatchObject({
              code: 'disk.full',
              message: `${join(path, 'shop', 'web')} cannot be written: the disk is full (${code})`,
            })
            return true
          },
        )
        if (!failed) break
        expect(await drafts(path)).toEqual([])
        // As before, and the same write works once there is room.
        expect((await good.get(web, ctx))?.record).toEqual(stored?.record)
        if (stored === undefined) await good.create(web, ctx)
        else await good.update(stored, next, ctx)
      }
      expect(steps).toBeGreaterThan(0)
    }
  })
})

describe('an operation whose disk of records is full', () => {
  const releases = sandboxReleases()

  it('before its first record touches nothing on the cluster', async () => {
    const shop = await releases.make()
    const disk = fillingDisk(0, 'ENOSPC')
    const engine = { ...shop.engine, store: createFileStore({ path: await temporary() }, disk.writes) }
    const objects = shop.content(config('one', '1'))
    await expect(finish(install(engine, objects, {}, ctx))).rejects.toMatchObject({ code: 'disk.full' })
    expect(await shop.find('one')).toBeUndefined()
  })

  it.each(['upgrade', 'recover'] as const)('at any later write is healed by %s', async (healer) => {
    let steps = 0
    for (;;) {
      steps += 1
      const shop = await releases.make()
      const path = await temporary()
      const disk = fillingDisk(steps, 'ENOSPC')
      const engine = { ...shop.engine, store: createFileStore({ path }, disk.writes) }
      const one = shop.content(config('one', '1'))
      const outcome = await finish(install(engine, one, {}, ctx)).catch((error: unknown) => error)
      if (!(outcome instanceof Error)) break
      expect(outcome.message).toContain('cannot be written: the disk is full (ENOSPC)')
      expect(await drafts(path)).toEqual([])
      disk.makeRoom()
      const applied = (await shop.find('one')) !== undefined
      const recorded = (await engine.store.history('shop', shop.namespace, ctx)).length > 0
      // Nothing is on the cluster that no record tells of.
      expect(recorded || !applied).toBe(true)
      if (healer === 'recover' && recorded) await finish(recover(engine, shop.release, ctx))
      await finish(upgrade(engine, shop.content(config('two', '1')), { install: true }, ctx))
      expect(await shop.find('one')).toBeUndefined()
      expect(await shop.find('two')).toBeDefined()
      const statuses = (await engine.store.history('shop', shop.namespace, ctx)).map(({ status }) => status)
      expect(statuses.at(-1)).toBe('deployed')
      expect(statuses.filter((status) => status === 'deployed' || status.startsWith('pending'))).toEqual(['deployed'])
    }
    expect(steps).toBeGreaterThan(3)
  })
})

/** A disk on which some writes find room and all later ones do not; deleting works, and a file that is cut short is left. */
function fillingDisk(room: number, code: string): { writes: FileWrites; makeRoom(): void } {
  let left = room
  const full = (): Error => Object.assign(new Error(`${code}: no space left on device`), { code })
  const take = (): boolean => {
    left -= 1
    return left >= 0
  }
  const within = <A extends unknown[], T>(write: (...args: A) => Promise<T>) => {
    return async (...args: A): Promise<T> => {
      if (!take()) throw full()
      return write(...args)
    }
  }
  return {
    makeRoom: () => (left = Infinity),
    writes: {
      mkdir: within(diskWrites.mkdir) as FileWrites['mkdir'],
      link: within(diskWrites.link),
      rename: within(diskWrites.rename),
      unlink: diskWrites.unlink,
      async writeNew(path, bytes) {
        if (take()) return diskWrites.writeNew(path, bytes)
        await writeFile(path, bytes.subarray(0, bytes.length / 2), { flag: 'wx' })
        throw full()
      },
    },
  }
}

async function drafts(path: string): Promise<string[]> {
  return (await readdir(path, { recursive: true })).filter((name) => name.endsWith('.draft'))
}

async function temporary(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'lading-full-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}
