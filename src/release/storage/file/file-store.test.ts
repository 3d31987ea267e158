import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { context, stringifyJson } from '../../../core/index.ts'
import { releaseStoreContract } from '../contract.ts'
import { record } from '../contract/fixtures.ts'
import { createFileStore } from './file-store.ts'
import { diskWrites, type FileWrites, headsIn } from './record-files.ts'

releaseStoreContract({ describe, it, beforeAll, afterAll }, 'the file store', async () => {
  const path = await mkdtemp(join(tmpdir(), 'lading-files-'))
  return {
    store: createFileStore({ path }),
    namespaces: ['one', 'two'],
    holdsLarge: true,
    damage: (key) => writeFile(join(path, key.namespace, key.name, `v${key.version}.yaml`), '{"format":"?"}'),
    // Drafts and deletions are left to the next hour: nobody can tell a crashed writer from a slow one.
    async extras(name, namespace) {
      const folder = join(path, namespace, name)
      const live = [...(await headsIn(folder))]
      const heads = live.flatMap(([version, head]) => [head.path, join(folder, `v${version}.yaml`)])
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
    const file = join(path, 'shop', 'web', 'v1.yaml')
    const document = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
    expect(document).toMatchObject({ compression: 'gzip', status: 'deployed', source: 'shop-1.4.2' })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(path, 'shop', 'web'))).mode & 0o777).toBe(0o700)
    expect(await visible(path)).toEqual(['v1.yaml'])
    // Whatever this store writes itself, it reads what others wrote.
    const stored = await createFileStore({ path, compression: 'none' }).get(web, ctx)
    expect(stored?.record).toEqual(web)
  })

  it('lists without reading the payload', async () => {
    const path = await temporary()
    const store = createFileStore({ path })
    await store.create(web, ctx)
    const file = join(path, 'shop', 'web', 'v1.yaml')
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
    await writeFile(join(path, 'shop', 'web', 'v1.yaml'), Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]))
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
    expect(await visible(path)).toEqual(['v1.yaml'])
  })

  it('keeps the newest write of each revision under v{revision}.yaml, which is all that a backup needs', async () => {
    const path = await temporary()
    const store = createFileStore({ path })
    const first = await store.create(web, ctx)
    await store.create({ ...web, version: 2, notes: 'two' }, ctx)
    await store.update(first, { ...web, notes: 'changed' }, ctx)
    expect(await visible(path)).toEqual(['v1.yaml', 'v2.yaml'])
    const restored = await temporary()
    await mkdir(join(restored, 'shop', 'web'), { recursive: true })
    for (const name of await visible(path))
      await copyFile(join(path, 'shop', 'web', name), join(restored, 'shop', 'web', name))
    const other = createFileStore({ path: restored })
    expect((await other.get(web, ctx))?.record.notes).toBe('changed')
    const second = await other.get({ ...web, version: 2 }, ctx)
    if (second === undefined) throw new Error('revision 2 was not restored')
    await other.delete(second, ctx)
    expect(await visible(restored)).toEqual(['v1.yaml'])
  })

  it('does not bring a deleted revision back once the mark of its deletion is old', async () => {
    const path = await temporary()
    const store = createFileStore({ path })
    const folder = join(path, 'shop', 'web')
    const created = await store.create(web, ctx)
    const kept = await readFile(join(folder, 'v1.yaml'))
    await store.delete(created, ctx)
    // As a crash between the two leaves it.
    await writeFile(join(folder, 'v1.yaml'), kept)
    expect(await store.get(web, ctx)).toBeUndefined()
    for (const name of await readdir(folder)) await utimes(join(folder, name), 1, 1)
    await store.create({ ...web, version: 2 }, ctx)
    expect(await visible(path)).toEqual(['v2.yaml'])
    expect(await store.get(web, ctx)).toBeUndefined()
  })

  it('reads and takes over what Lading 0.1 wrote', async () => {
    const path = await temporary()
    const store = createFileStore({ path })
    await store.create(web, ctx)
    const folder = join(path, 'shop', 'web')
    await rename(join(folder, 'v1.yaml'), join(folder, 'v1.3.json'))
    await rm(join(folder, '.v1.1.yaml'))
    const read = await store.get(web, ctx)
    if (read === undefined) throw new Error('it was not read')
    await store.update(read, { ...web, notes: 'new' }, ctx)
    expect(await visible(path)).toEqual(['v1.yaml'])
    expect((await store.get(web, ctx))?.record.notes).toBe('new')
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
    await symlink(join(elsewhere, 'shop', 'web', 'v1.yaml'), join(path, 'shop', 'web', 'v1.json'))
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

/** What a person sees in the folder of the release. */
async function visible(path: string): Promise<string[]> {
  return (await readdir(join(path, 'shop', 'web'))).filter((name) => !name.startsWith('.')).sort()
}

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
    rename: count(diskWrites.rename),
    unlink: count(diskWrites.unlink),
    writeNew: count((path, bytes) => diskWrites.writeNew(path, bytes)),
  }
}

it('a path that is no folder is told as that by list and history', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lading-files-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'file')
  await writeFile(path, '')
  const store = createFileStore({ path })
  const refusal = { code: 'file.unreadable', message: expect.stringContaining(path) as string }
  await expect(store.list(undefined, context())).rejects.toMatchObject(refusal)
  await expect(store.list('web', context())).rejects.toMatchObject(refusal)
  await expect(store.history('shop', 'web', context())).rejects.toMatchObject(refusal)
})
