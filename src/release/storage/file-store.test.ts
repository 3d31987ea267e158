import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { context, stringifyJson } from '../../core/index.ts'
import { releaseStoreContract } from './contract.ts'
import { record } from './contract/fixtures.ts'
import { createFileStore } from './file-store.ts'
import { diskWrites, type FileWrites, headsIn } from './record-files.ts'

releaseStoreContract({ describe, it, beforeAll, afterAll }, 'the file store', async () => {
  const path = await mkdtemp(join(tmpdir(), 'lading-files-'))
  return {
    store: createFileStore({ path }),
    namespaces: ['one', 'two'],
    holdsLarge: true,
    damage: (key) => writeFile(join(path, key.namespace, key.name, `v${key.version}.1.json`), '{"format":"?"}'),
    // Drafts and deletions are left to the next hour: nobody can tell a crashed writer from a slow one.
    async extras(name, namespace) {
      const folder = join(path, namespace, name)
      const heads = [...(await headsIn(folder)).values()].map((head) => head.path)
      const files = (await readdir(folder)).filter((file) => !file.endsWith('.draft')).map((file) => join(folder, file))
      return files.filter((file) => !heads.includes(file))
    },
    crashing: (writes) => createFileStore({ path }, crashingWrites(writes)),
    close: () => rm(path, { recursive: true }),
  }
})

describe('the file store', () => {
  const ctx = context()
  const web = record({ name: 'web', namespace: 'shop' })

  it('keeps files that only their owner reads, each one JSON document that names its compression', async () => {
    const path = await temporary()
    await createFileStore({ path, compression: 'gzip' }).create(web, ctx)
    const file = join(path, 'shop', 'web', 'v1.1.json')
    const document = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
    expect(document).toMatchObject({ compression: 'gzip', status: 'deployed', source: 'shop-1.4.2' })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(path, 'shop', 'web'))).mode & 0o777).toBe(0o700)
    expect(await readdir(join(path, 'shop', 'web'))).toEqual(['v1.1.json'])
    // Whatever this store writes itself, it reads what others wrote.
    const stored = await createFileStore({ path, compression: 'none' }).get(web, ctx)
    expect(stored?.record).toEqual(web)
  })

  it('lists without reading the payload', async () => {
    const path = await temporary()
    const store = createFileStore({ path })
    await store.create(web, ctx)
    const file = join(path, 'shop', 'web', 'v1.1.json')
    const header = (await readFile(file, 'utf8')).split('\n')[0]
    await writeFile(file, `${header}\nnothing that can be read`)
    expect(await store.list(undefined, ctx)).toEqual([
      {
        name: 'web',
        namespace: 'shop',
        version: 1,
        status: 'deployed',
        source: 'shop-1.4.2',
        createdAt: web.createdAt,
        updatedAt: web.updatedAt,
        description: 'Install complete',
        labels: { team: 'shop' },
      },
    ])
    await expect(store.get(web, ctx)).rejects.toMatchObject({ code: 'release.unreadable' })
  })

  it('shows a file that is damaged as unknown', async () => {
    const path = await temporary()
    const store = createFileStore({ path })
    await store.create(web, ctx)
    await writeFile(join(path, 'shop', 'web', 'v1.1.json'), Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]))
    expect(await store.history('web', 'shop', ctx)).toMatchObject([{ version: 1, status: 'unknown' }])
  })

  it('reads, lists and takes over what Sherpack wrote', async () => {
    const path = await temporary()
    const store = createFileStore({ path })
    const { hooks: _, inventory: __, ...old } = { ...web, pack: { name: 'shop', version: '1.0.0', icon: null } }
    await mkdir(join(path, 'shop', 'web'), { recursive: true })
    const file = join(path, 'shop', 'web', 'v1.json')
    await writeFile(file, zstdCompressSync(Buffer.from(stringifyJson(old))))
    expect(await store.history('web', 'shop', ctx)).toMatchObject([{ version: 1, status: 'deployed' }])
    const read = await store.get(web, ctx)
    expect(read?.record).toMatchObject({ pack: { type: 'pack', name: 'shop' }, hooks: [], inventory: [] })
    if (read === undefined) return
    await store.update(read, { ...read.record, notes: 'ours now' }, ctx)
    expect((await store.get(web, ctx))?.record.notes).toBe('ours now')
    expect(await readdir(join(path, 'shop', 'web'))).toEqual(['v1.1.json'])
  })

  it('follows no link, neither of a folder nor of a file', async () => {
    const path = await temporary()
    const elsewhere = await temporary()
    await createFileStore({ path: elsewhere }).create(web, ctx)
    const store = createFileStore({ path })
    await symlink(join(elsewhere, 'shop'), join(path, 'shop'))
    await expect(store.create(web, ctx)).rejects.toMatchObject({ code: 'file.unreadable' })
    await expect(store.get(web, ctx)).rejects.toMatchObject({ code: 'file.unreadable' })
    await rm(join(path, 'shop'))
    await store.create({ ...web, version: 2 }, ctx)
    await symlink(join(elsewhere, 'shop', 'web', 'v1.1.json'), join(path, 'shop', 'web', 'v1.json'))
    await expect(store.get(web, ctx)).rejects.toMatchObject({ code: 'file.unreadable' })
    expect(await store.history('web', 'shop', ctx)).toMatchObject([{ status: 'unknown' }, { status: 'deployed' }])
  })

  it('removes what a crashed write left, once it is old', async () => {
    const path = await temporary()
    const store = createFileStore({ path })
    const created = await store.create(web, ctx)
    const crashing = createFileStore({ path }, crashingWrites(1))
    await expect(crashing.update(created, { ...web, notes: 'lost' }, ctx)).rejects.toThrow('the process has ended')
    const folder = join(path, 'shop', 'web')
    const drafts = async (): Promise<string[]> => (await readdir(folder)).filter((file) => file.endsWith('.draft'))
    const [draft = ''] = await drafts()
    expect(draft).not.toBe('')
    const updated = await store.update(created, { ...web, notes: 'kept' }, ctx)
    expect(await drafts()).toEqual([draft])
    await utimes(join(folder, draft), 1, 1)
    await store.update(updated, web, ctx)
    expect(await drafts()).toEqual([])
  })
})

async function temporary(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'lading-files-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

/** The process ends at a write: neither it nor anything after it reaches the disk. */
function crashingWrites(writes: number): FileWrites {
  let left = writes
  const count = <A extends unknown[], T>(write: (...args: A) => Promise<T>) => {
    return async (...args: A): Promise<T> => {
      left -= 1
      if (left < 0) throw new Error('the process has ended')
      return write(...args)
    }
  }
  return {
    mkdir: count(diskWrites.mkdir) as FileWrites['mkdir'],
    link: count(diskWrites.link),
    unlink: count(diskWrites.unlink),
    writeNew: count((path, bytes) => diskWrites.writeNew(path, bytes)),
  }
}
