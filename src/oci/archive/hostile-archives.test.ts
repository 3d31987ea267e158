import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from '../../../testing/fast-check.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { gzip } from './compress.ts'
import { packTar } from './pack-tar.ts'
import { file, fixChecksum, tarOf, texts } from './testdata/tar-entries.ts'
import { unpackTar } from './unpack-tar.ts'

const run = promisify(execFile)
const one = packTar(new Map([['all.yaml', file('a: 1\n')]]))

describe('an archive is refused', () => {
  it.for(['../up.yaml', 'a/../../up.yaml', '/etc/passwd', 'a\\..\\b', 'c:/x', 'a\nb', '.'])(
    'for the name %j',
    async (name) => {
      await expect(unpackTar(tarOf({ name }))).rejects.toMatchObject({ code: 'archive.refused' })
      expect(() => packTar(new Map([[name, file('')]]))).toThrow(expect.objectContaining({ code: 'archive.refused' }))
    },
  )

  it('for a NUL byte in a name', async () => {
    const tar = packTar(new Map([['a.yaml.exe', file('')]]))
    tar[6] = 0
    fixChecksum(tar)
    await expect(unpackTar(tar)).rejects.toMatchObject({ code: 'archive.invalid' })
  })

  it.for([
    ['symlink', '2'],
    ['hardlink', '1'],
    ['character device', '3'],
    ['block device', '4'],
    ['named pipe', '6'],
  ] as const)('for a %s', async ([, type]) => {
    const tar = tarOf({ name: 'x', type, linkname: '/etc/passwd' })
    await expect(unpackTar(tar)).rejects.toMatchObject({ code: 'archive.refused' })
    const skipping = unpackTar(tar, { symlinks: 'skip' }).then(
      ({ size }) => size,
      (error: { code: string }) => error.code,
    )
    expect(await skipping).toBe(type === '2' ? 0 : 'archive.refused')
  })

  it('for a link that the tar program packed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lading-archive-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await symlink('/etc/hostname', join(folder, 'link'))
    await run('tar', ['-czf', 'theirs.tgz', 'link'], { cwd: folder })
    await expect(unpackTar(await readFile(join(folder, 'theirs.tgz')))).rejects.toMatchObject({
      code: 'archive.refused',
      message: expect.stringContaining('it is a symlink'),
    })
  })

  it.for([[['a', 'a']], [['a', './a']], [['a', 'a/b']], [['a/b', 'a']], [['a//b/.', 'a/b']]])(
    'for the names %j side by side',
    async ([names]) => {
      const entries = (names ?? []).map((name) => ({ name }))
      await expect(unpackTar(tarOf(...entries))).rejects.toMatchObject({ code: 'archive.refused' })
    },
  )

  it('wherever it is cut', async () => {
    const packed = await gzip(one)
    for (let length = 0; length < packed.byteLength; length++) {
      await expect(unpackTar(packed.subarray(0, length))).rejects.toMatchObject({
        code: 'archive.invalid',
      })
    }
    for (const length of [0, 1, 511, 512, 600, 1024, 1100, 1536, one.byteLength - 1]) {
      await expect(unpackTar(one.subarray(0, length))).rejects.toMatchObject({ code: 'archive.invalid' })
      await expect(unpackTar(await gzip(one.subarray(0, length)))).rejects.toMatchObject({ code: 'archive.invalid' })
    }
    const frame = zstdCompressSync(one)
    for (const length of [4, 10, frame.byteLength - 1]) {
      await expect(unpackTar(frame.subarray(0, length))).rejects.toMatchObject({ code: 'archive.invalid' })
    }
  })

  it.for([
    ['tar', (garbage: Uint8Array) => Buffer.concat([one, garbage])],
    ['gzip', (garbage: Uint8Array) => Buffer.concat([gzipSync(one), garbage])],
    ['zstd', (garbage: Uint8Array) => Buffer.concat([zstdCompressSync(one), garbage])],
  ] as const)('for garbage after the end of %s', async ([, withGarbage]) => {
    for (const garbage of ['x', 'garbage of some length', '\x1f\x8b', '\x1f\x8b\x08']) {
      await expect(unpackTar(withGarbage(Buffer.from(garbage, 'latin1')))).rejects.toMatchObject({
        code: 'archive.invalid',
      })
    }
  })

  it('for any damaged byte of a gzip archive, unless it is padding', async () => {
    const packed = await gzip(one)
    let refused = 0
    for (let at = 10; at < packed.byteLength; at++) {
      const damaged = Uint8Array.from(packed)
      damaged[at] = (damaged[at] as number) ^ 0x10
      const outcome = await unpackTar(damaged).then(texts, (error: { code: string }) => error.code)
      expect(outcome, `${at}`).toBeOneOf(['archive.invalid', { 'all.yaml': 'a: 1\n' }])
      if (outcome === 'archive.invalid') refused += 1
    }
    expect(refused).toBeGreaterThanOrEqual(packed.byteLength - 12)
  })

  it('or read, but never fails otherwise, whatever bytes are in it', async () => {
    const tar = packTar(
      new Map([
        [`${'long/'.repeat(30)}ä.yaml`, file('a: 1\n')],
        ['b.yaml', file('b: 2\n')],
      ]),
    )
    const change = fc.tuple(fc.nat({ max: tar.byteLength - 1 }), fc.nat({ max: 255 }))
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), fc.boolean(), async (changes, repair) => {
        const damaged = Uint8Array.from(tar)
        for (const [at, byte] of changes) damaged[at] = byte
        // With a right checksum the damage reaches what stands behind it.
        if (repair) fixChecksum(damaged)
        const outcome = await unpackTar(damaged).then(
          () => 'read',
          (error: { code?: string }) => error.code,
        )
        expect(outcome).toBeOneOf(['read', 'archive.invalid', 'archive.refused', 'input.too-large'])
      }),
      { numRuns: 400 },
    )
  })

  it('for a damaged header', async () => {
    const tar = Uint8Array.from(one)
    tar[0] = 0x62
    await expect(unpackTar(tar)).rejects.toThrow('the checksum of a header does not fit')
  })

  it('for more than is allowed', async () => {
    const many = packTar(new Map(Array.from({ length: 5 }, (_, index) => [`f${index}`, file('x'.repeat(1000))])))
    const packed = await gzip(many)
    const tooLarge = { code: 'input.too-large' }
    await expect(unpackTar(packed, { limits: { entries: 4 } })).rejects.toMatchObject(tooLarge)
    await expect(unpackTar(packed, { limits: { entryBytes: 999 } })).rejects.toMatchObject(tooLarge)
    await expect(unpackTar(packed, { limits: { totalBytes: 5000 } })).rejects.toMatchObject(tooLarge)
    await expect(unpackTar(many, { limits: { totalBytes: 5000 } })).rejects.toMatchObject(tooLarge)
    await expect(unpackTar(zstdCompressSync(many), { limits: { totalBytes: 5000 } })).rejects.toMatchObject(tooLarge)
    await expect(unpackTar(packed, { limits: { packedBytes: packed.byteLength - 1 } })).rejects.toMatchObject(tooLarge)
    await expect(unpackTar(packed, { limits: { nameBytes: 1 } })).rejects.toMatchObject({ code: 'archive.refused' })
    await expect(unpackTar(packed, { limits: { entries: 5, entryBytes: 1000 } })).resolves.toHaveLength(5)
  })

  it.for(['gzip', 'zstd'])('for being a bomb of %s, before it has grown', async (kind) => {
    const zeros = new Uint8Array(40 * 1024 * 1024)
    const bomb = kind === 'gzip' ? gzipSync(zeros) : zstdCompressSync(zeros)
    const before = process.memoryUsage().arrayBuffers
    await expect(unpackTar(bomb)).rejects.toMatchObject({ code: 'input.too-large' })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(zeros.byteLength)
  })

  it('while it streams, once it is larger than allowed', async () => {
    let given = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        given += 1
        yield new Uint8Array(1000)
      }
    }
    await expect(unpackTar(endless(), { limits: { packedBytes: 10_000 } })).rejects.toMatchObject({
      code: 'input.too-large',
    })
    expect(given).toBe(11)
  })

  it('for a size that no file has', async () => {
    for (const size of ['77777777777', '\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff', 'not octal', '-1']) {
      const tar = Buffer.from(one)
      tar.write(size.padEnd(12, '\0'), 124, 'latin1')
      fixChecksum(tar)
      await expect(unpackTar(tar)).rejects.toMatchObject({
        code: expect.stringMatching(/^(archive\.invalid|input\.too-large)$/),
      })
    }
  })

  it.for(['5 a=', '99 path=x\n', '0 path=x\n', 'path=x\n', '11 path=../x\n', '20 GNU.sparse.map=1\n', '10 size=x\n'])(
    'for the extended header %j',
    async (record) => {
      const header = Buffer.from(one.subarray(0, 512))
      header.write('x', 156)
      header.write(record.length.toString(8).padStart(11, '0'), 124)
      fixChecksum(header)
      const tar = Buffer.concat([header, Buffer.from(record.padEnd(512, '\0')), one])
      await expect(unpackTar(tar)).rejects.toMatchObject({ code: expect.stringMatching(/^archive\./) })
    },
  )
})
