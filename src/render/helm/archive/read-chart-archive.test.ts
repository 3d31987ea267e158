import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { isLadingError, type LadingError } from '../../../core/index.ts'
import { packEntries, type PackedEntry, packTgz } from '../testdata/pack-tgz.ts'
import { readChartArchive } from './read-chart-archive.ts'

const chartYaml = Buffer.from('apiVersion: v2\nname: demo\nversion: 1.2.3\n')
const chart: PackedEntry = { name: 'demo/Chart.yaml', data: chartYaml }

function failure(archive: Uint8Array, limits = {}): LadingError {
  try {
    readChartArchive(archive, limits)
  } catch (error) {
    if (isLadingError(error)) return error
    throw error
  }
  throw new Error('was read')
}

describe('a chart archive', () => {
  it('is read in memory, whatever its folder is called', () => {
    const files = new Map([
      ['any-name/Chart.yaml', chartYaml],
      ['any-name/templates/a.yaml', Buffer.from('a: 1')],
      ['any-name/values.yaml', Buffer.from('\ufeffx: 1')],
    ])
    const loaded = readChartArchive(packTgz(files))
    expect(loaded.metadata.version).toBe('1.2.3')
    expect(loaded.templates.map(({ name }) => name)).toEqual(['templates/a.yaml'])
    expect({ ...loaded.values }).toEqual({ x: 1 })
  })

  it('reads long names and ignores what is no file', () => {
    const long = `demo/files/${'x'.repeat(150)}.txt`
    const record = ` path=${long}\n`
    const length = record.length + String(record.length + 3).length
    const archive = packEntries([
      { name: 'pax_global_header', type: 'g', data: Buffer.from('13 comment=a\n') },
      { name: 'demo/', type: '5' },
      chart,
      { name: 'demo/pax', type: 'x', data: Buffer.from(`${length}${record}`) },
      { name: 'demo/short', data: Buffer.from('long') },
      { name: '././@LongLink', type: 'L', data: Buffer.from(`demo/${'y'.repeat(120)}\0`) },
      { name: 'demo/short', data: Buffer.from('gnu') },
    ])
    const names = readChartArchive(archive).files.map(({ name }) => name)
    expect(names).toEqual([`files/${'x'.repeat(150)}.txt`, 'y'.repeat(120)])
  })

  it.for<[string, PackedEntry]>([
    ['a path above it', { name: 'demo/../../etc/passwd', data: Buffer.from('x') }],
    ['a path with backslashes above it', { name: 'demo\\..\\..\\x', data: Buffer.from('x') }],
    ['an absolute path', { name: 'demo//etc/passwd', data: Buffer.from('x') }],
    ['a path from the root', { name: '/etc', data: Buffer.from('x') }],
    ['a drive', { name: 'demo/c:/windows', data: Buffer.from('x') }],
    ['a link', { name: 'demo/link', type: '2', linkName: '/etc/passwd' }],
    ['a hard link', { name: 'demo/link', type: '1', linkName: 'demo/Chart.yaml' }],
    ['a file twice', chart],
    ['a Chart.yaml outside of any folder', { name: 'Chart.yaml', data: chartYaml }],
    ['a file that is the folder itself', { name: 'demo', data: Buffer.from('x') }],
  ])('with %s is refused', ([, entry]) => {
    expect(failure(packEntries([chart, entry])).code).toMatch(/^archive\./)
  })

  it('that is none is told apart from one that is damaged', () => {
    expect(failure(Buffer.from('kind: values')).message).toContain('not appear to be a gzipped archive')
    expect(failure(gzipSync(Buffer.alloc(1024))).message).toBe('no files in chart archive')
    expect(failure(packEntries([chart]).subarray(0, 60)).code).toBe('archive.invalid')
    expect(failure(gzipSync(Buffer.from('x'.repeat(600)))).code).toBe('archive.invalid')
  })

  it('that unpacks to a thousand times its size is refused before it is unpacked', () => {
    const bomb = packEntries([chart, { name: 'demo/zeros', data: Buffer.alloc(130 * 1024 * 1024) }])
    expect(bomb.length).toBeLessThan(160 * 1024)
    expect(failure(bomb)).toMatchObject({ code: 'input.too-large', message: expect.stringContaining('maximum size') })
  })

  it('has a cap for each file, for all of them and for their number', () => {
    const big = { name: 'demo/big', data: Buffer.alloc(2000) }
    expect(failure(packEntries([chart, big]), { maxFileBytes: 1999 }).message).toContain('maximum file size 1999')
    expect(failure(packEntries([chart, big]), { maxBytes: 2000 }).message).toContain('maximum size 2000')
    const many = Array.from({ length: 50 }, (_, at) => ({ name: `demo/f${at}` }))
    expect(failure(packEntries([chart, ...many]), { maxEntries: 40 }).message).toContain('more than 40 files')
  })

  it('counts what is packed inside of it against the same caps, and only so deep', () => {
    let archive = packEntries([chart, { name: 'demo/big', data: Buffer.alloc(900_000) }])
    for (let level = 0; level < 3; level++) archive = packEntries([chart, { name: 'demo/charts/x.tgz', data: archive }])
    expect(readChartArchive(archive).dependencies[0]?.dependencies[0]?.dependencies).toHaveLength(1)
    expect(failure(archive, { maxBytes: 900_000 }).code).toBe('input.too-large')
    expect(failure(archive, { maxDepth: 2 }).message).toContain('nested deeper than 2')
  })
})
