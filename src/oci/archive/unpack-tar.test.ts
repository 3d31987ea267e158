import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib'
import fc from '../../../testing/fast-check.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ArchiveFile } from '../../core/tar/index.ts'
import { gzip } from './compress.ts'
import { packTar } from './pack-tar.ts'
import { file, fixChecksum, texts } from './testdata/tar-entries.ts'
import { unpackTar } from './unpack-tar.ts'

const run = promisify(execFile)
const one = packTar(new Map([['all.yaml', file('a: 1\n')]]))

describe('an archive', () => {
  it('comes back as it was packed, whatever the names and contents', async () => {
    const part = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      // oxlint-disable-next-line no-control-regex -- what names may not hold
      .filter((text) => !/[/\\:\0-\x1f\x7f]/.test(text) && text !== '.' && text !== '..' && text.isWellFormed())
    const path = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'))
    const content = fc.uint8Array({ maxLength: 1100 })
    await fc.assert(
      fc.asyncProperty(fc.dictionary(path, content, { maxKeys: 5 }), async (contents) => {
        const names = Object.keys(contents)
        fc.pre(!names.some((name) => names.some((other) => other.startsWith(`${name}/`))))
        const files = new Map(Object.entries(contents).map(([name, content]) => [name, { content }]))
        const unpacked = await unpackTar(await gzip(packTar(files)))
        expect(texts(unpacked)).toEqual(texts(files))
      }),
      { numRuns: 60 },
    )
  })

  it('is the same whatever order the files come in', async () => {
    const files: [string, ArchiveFile][] = [
      ['b/x.yaml', file('1')],
      ['a.yaml', file('2')],
      ['B.yaml', file('3')],
    ]
    const archive = await gzip(packTar(new Map(files)))
    expect(Buffer.compare(archive, await gzip(packTar(new Map(files.reverse()))))).toBe(0)
    // Neither the time nor the operating system: RFC 1952's "unknown".
    expect([...archive.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
  })

  it('is what the tar program reads, and the other way round', async () => {
    const folder = await temporaryFolder()
    const long = `${'folder/'.repeat(40)}file-with-a-name.yaml`
    const files = new Map([
      ['plain.yaml', file('a: 1\n')],
      [`${'d'.repeat(90)}/${'n'.repeat(80)}.yaml`, file('b: 2\n')],
      [long, file('c: 3\n', 0o755)],
      ['grüße/ünïcode.yaml', file('d: 4\n')],
    ])
    await writeFile(join(folder, 'ours.tgz'), await gzip(packTar(files)))
    await mkdir(join(folder, 'out'))
    await run('tar', ['-xzf', 'ours.tgz', '-C', 'out'], { cwd: folder })
    for (const [name, { content }] of files) expect(await readFile(join(folder, 'out', name))).toEqual(content)
    for (const format of ['gnu', 'pax', 'ustar', 'oldgnu']) {
      const excluded = format === 'ustar' ? ['--exclude=folder', '--exclude=gr*'] : []
      await run('tar', [`--format=${format}`, '-czf', 'theirs.tgz', ...excluded, '-C', 'out', '.'], { cwd: folder })
      const unpacked = await unpackTar(await readFile(join(folder, 'theirs.tgz')))
      const expected = [...files].filter(([name]) => format !== 'ustar' || /^[pd]/.test(name))
      expect(texts(unpacked)).toEqual(texts(new Map(expected)))
      expect(unpacked.get(long)?.mode ?? 0o755).toBe(0o755)
    }
  })

  it.for([
    ['not compressed', (tar: Uint8Array) => tar],
    ['compressed by gzip', (tar: Uint8Array) => gzipSync(tar)],
    [
      'in two members of gzip',
      (tar: Uint8Array) => Buffer.concat([gzipSync(tar.subarray(0, 700)), gzipSync(tar.subarray(700))]),
    ],
    ['compressed by Zstandard', (tar: Uint8Array) => zstdCompressSync(tar)],
    [
      'in two frames of Zstandard',
      (tar: Uint8Array) => Buffer.concat([zstdCompressSync(tar.subarray(0, 700)), zstdCompressSync(tar.subarray(700))]),
    ],
    ['with all the fields that gzip has', (tar: Uint8Array) => fullGzip(tar)],
  ] as const)('is read %s', async ([, compress]) => {
    expect(texts(await unpackTar(compress(one)))).toEqual({ 'all.yaml': 'a: 1\n' })
    async function* byteByByte(): AsyncGenerator<Uint8Array> {
      for (const byte of compress(one)) yield Uint8Array.of(byte)
    }
    expect(texts(await unpackTar(byteByByte()))).toEqual({ 'all.yaml': 'a: 1\n' })
  })

  it('may name files as JavaScript names its own', async () => {
    const unpacked = await unpackTar(
      packTar(
        new Map([
          ['__proto__', file('x')],
          ['constructor', file('y')],
        ]),
      ),
    )
    expect([...unpacked.keys()]).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  it('may carry attributes that are no text, as macOS writes them', async () => {
    const record = Buffer.from('40 SCHILY.xattr.com.apple.provenance=\x01\xff\n', 'latin1')
    const header = Buffer.from(one.subarray(0, 512))
    header.write('x', 156)
    header.write(record.byteLength.toString(8).padStart(11, '0'), 124)
    fixChecksum(header)
    const tar = Buffer.concat([header, record, new Uint8Array(512 - record.byteLength), one])
    expect(texts(await unpackTar(tar))).toEqual({ 'all.yaml': 'a: 1\n' })
  })
})

/** Extra field, name, comment and a checksum of the header. */
function fullGzip(content: Uint8Array): Uint8Array {
  const header = Buffer.from([0x1f, 0x8b, 8, 0x1e, 1, 2, 3, 4, 0, 3, 3, 0, 1, 2, 3])
  const names = Buffer.from('name.tar\0a comment\0\x12\x34', 'latin1')
  const plain = gzipSync(content)
  return Buffer.concat([header, names, deflateRawSync(content), plain.subarray(-8)])
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lading-archive-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}
