import { gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import fc from '../../../testing/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { isLadingError, parseJson } from '../../core/index.ts'
import { decodeRecord, decodeText, encodeRecord, encodeText } from './codec.ts'
import { record as sample } from './contract/fixtures.ts'

const web = sample({ name: 'web', namespace: 'shop' })
const compressions = ['zstd', 'gzip', 'none'] as const

describe('the text of a record', () => {
  it.each(compressions)('is read back as it was written: %s', (compression) => {
    expect(decodeRecord(encodeRecord(web, compression), 'here')).toEqual(web)
  })

  it('is base64 of zstd of JSON in camelCase, with the state tagged by status', () => {
    const json = zstdDecompressSync(Buffer.from(encodeRecord(web), 'base64')).toString('utf8')
    const fields = parseJson(json) as Record<string, unknown>
    expect(Object.keys(fields).toSorted().join(' ')).toBe(
      'createdAt description hooks inventory labels manifest name namespace notes pack state updatedAt userValues values ' +
        'valuesProvenance version',
    )
    expect(fields['state']).toEqual({ status: 'deployed' })
    expect(fields['hooks']).toMatchObject([{ name: 'migrate', phases: ['pre-upgrade'], weight: -5 }])
    expect(json).toContain('9007199254740993')
  })

  it('keeps any values', () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), (raw) => {
        // JSON has no negative zero.
        const values = parseJson(JSON.stringify(raw)) as Record<string, unknown>
        expect(decodeRecord(encodeRecord({ ...web, values }), 'here').values).toEqual(values)
      }),
    )
  })

  it('of Sherpack is read: hooks as YAML, sources with their details, nulls for what is absent', () => {
    const theirs = {
      name: 'web',
      namespace: 'shop',
      version: 2,
      state: { status: 'pending-upgrade', started_at: '2026-01-01T00:00:00Z', timeout: 300, previous_version: 1 },
      pack: { name: 'shop', version: '1.0.0', description: null, appVersion: null, sources: [] },
      values: { a: 1 },
      valuesProvenance: { sources: { a: { type: 'values-file', path: 'prod.yaml', line: 3 } } },
      manifest: '---\nkind: ConfigMap\n',
      hooks: [
        {
          name: 'job',
          phases: ['pre-install'],
          weight: 2,
          onFailure: 'continue',
          timeout: 300,
          cleanup: 'on-success',
          resource: 'apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: job\n',
        },
      ],
      labels: {},
      createdAt: '2026-01-01T00:00:00Z',
      updatedAt: '2026-01-01T00:00:01Z',
      notes: null,
    }
    const read = decodeRecord(encodeText(JSON.stringify(theirs), 'zstd'), 'here')
    expect(read).toMatchObject({
      state: theirs.state,
      pack: { type: 'pack', name: 'shop', version: '1.0.0' },
      valuesProvenance: { sources: { a: 'values-file' }, details: { a: { path: 'prod.yaml' } } },
      hooks: [{ object: { kind: 'Job' }, phases: ['pre-install'], weight: 2, onFailure: 'continue' }],
      inventory: [],
    })
    expect(read).not.toHaveProperty('notes')
    expect(read.pack).not.toHaveProperty('appVersion')
    // What they know stays when we write it again.
    expect(decodeRecord(encodeRecord(read), 'here')).toEqual(read)
  })

  it.each([
    ['is no base64', 'kein Base64!', 'not base64'],
    ['is empty', '', 'not base64'],
    ['is cut off', encodeRecord(web).slice(0, 120), 'damaged'],
    ['is gzip of rubbish', gzipSync('rubbish').toString('base64'), 'not JSON'],
    ['is no record', encodeText('[1]', 'none'), 'no record'],
    ['has no name', encodeText('{"version":1}', 'none'), 'name is missing'],
    ['has no revision', encodeText('{"version":0}', 'none'), 'no revision'],
    ['has an unknown state', encodeText(stored({ state: { status: 'odd' } }), 'gzip'), 'no known state'],
    ['pends without a time', encodeText(stored({ state: { status: 'pending-install' } }), 'gzip'), 'since when'],
    ['has a hook that is no object', encodeText(stored({ hooks: [{ resource: '- 1' }] }), 'gzip'), 'no object'],
    ['keeps nothing in its inventory', encodeText(stored({ inventory: [null] }), 'gzip'), 'names no object'],
    [
      'names all objects of a kind',
      encodeText(stored({ inventory: [{ ref: { group: '', version: 'v1', kind: 'Secret', name: '' } }] }), 'gzip'),
      'names no object',
    ],
  ])('that %s is reported, with the place and without its content', (_, text, reason) => {
    const failure = attempt(() => decodeRecord(text, 'Secret shop/web'))
    expect(failure).toMatchObject({ code: 'release.unreadable', details: { where: 'Secret shop/web' } })
    expect(failure).toHaveProperty('message', expect.stringContaining(reason))
    expect(String(failure)).not.toContain('rubbish')
  })

  it('that unpacks to far more than it says is refused before it fills the memory', () => {
    const bomb = zstdCompressSync(Buffer.alloc(70 * 1024 * 1024)).toString('base64')
    expect(bomb.length).toBeLessThan(20_000)
    expect(attempt(() => decodeText(bomb, 'here'))).toMatchObject({ code: 'release.unreadable' })
    const packed = gzipSync(Buffer.alloc(70 * 1024 * 1024)).toString('base64')
    expect(attempt(() => decodeText(packed, 'here'))).toMatchObject({ code: 'release.unreadable' })
  })
})

function stored(fields: Record<string, unknown>): string {
  const { hooks: _, ...rest } = web
  return JSON.stringify({ ...rest, values: {}, ...fields })
}

function attempt(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    if (isLadingError(error)) return error
    throw error
  }
  return undefined
}
