import fc from '../../../testing/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { isLadingError } from '../errors.ts'
import { applyJsonPatch } from './json-patch.ts'

const document = { a: { b: 1, 'x/y': 2, '~z': 3 }, list: [1, 2, 3] }

describe('a JSON patch', () => {
  it.each([
    ['adds to a map', { op: 'add', path: '/a/c', value: 9 }, { a: { ...document.a, c: 9 } }],
    ['adds before an item', { op: 'add', path: '/list/1', value: 9 }, { list: [1, 9, 2, 3] }],
    ['adds behind the last item', { op: 'add', path: '/list/-', value: 9 }, { list: [1, 2, 3, 9] }],
    ['adds at the end by index', { op: 'add', path: '/list/3', value: 9 }, { list: [1, 2, 3, 9] }],
    ['removes an item', { op: 'remove', path: '/list/0' }, { list: [2, 3] }],
    ['removes a key with escapes', { op: 'remove', path: '/a/x~1y' }, { a: { b: 1, '~z': 3 } }],
    ['replaces under a tilde', { op: 'replace', path: '/a/~0z', value: 4 }, { a: { ...document.a, '~z': 4 } }],
    ['moves', { op: 'move', from: '/list/0', path: '/list/2' }, { list: [2, 3, 1] }],
    ['copies', { op: 'copy', from: '/a/b', path: '/list/0' }, { list: [1, 1, 2, 3] }],
    ['tests', { op: 'test', path: '/list', value: [1, 2, 3] }, {}],
  ])('%s', (_name, operation, change) => {
    expect(applyJsonPatch(document, [operation])).toEqual({ ...document, ...change })
  })

  it('replaces the whole document', () => {
    expect(applyJsonPatch(document, [{ op: 'replace', path: '', value: 5 }])).toBe(5)
  })

  it.each([
    [{ op: 'test', path: '/a/b', value: 2 }],
    [{ op: 'remove', path: '/a/none' }],
    [{ op: 'replace', path: '/a/none', value: 1 }],
    [{ op: 'add', path: '/none/b', value: 1 }],
    [{ op: 'add', path: '/list/4', value: 1 }],
    [{ op: 'add', path: '/list/01', value: 1 }],
    [{ op: 'add', path: '/a/b/c', value: 1 }],
    [{ op: 'add', path: '/a/c' }],
    [{ op: 'add', path: 'a/c', value: 1 }],
    [{ op: 'add', path: '/a/~2', value: 1 }],
    [{ op: 'move', from: '/a', path: '/a/b' }],
    [{ op: 'copy', from: '/a/toString', path: '/a/c' }],
    [{ op: 'remove', path: '' }],
    [{ op: 'frob', path: '/a' }],
    ['add'],
  ])('refuses %j and says which operation it was', (operation) => {
    const fine = { op: 'test', path: '/a/b', value: 1 }
    const error = thrown(() => applyJsonPatch(document, [fine, operation]))
    expect(isLadingError(error, 'patch.invalid') && error.details).toMatchObject({ index: 1 })
  })

  it('is refused when it is no list', () => {
    expect(
      isLadingError(
        thrown(() => applyJsonPatch({}, { op: 'add' })),
        'patch.invalid',
      ),
    ).toBe(true)
  })

  it('keeps a key named __proto__ a plain key', () => {
    const patched = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { x: 1 } }])
    expect(JSON.stringify(patched)).toBe('{"__proto__":{"x":1}}')
  })
})

describe('read as the API server reads it', () => {
  it.each([
    [{ op: 'replace', path: '/a/c', value: 9 }, { a: { ...document.a, c: 9 } }],
    [{ op: 'copy', from: '/a/none', path: '/c' }, { c: null }],
    [{ op: 'add', path: '/c' }, { c: null }],
    [{ op: 'test', path: '/none', value: null }, {}],
    [{ op: 'add', path: '/list/-1', value: 9 }, { list: [1, 2, 3, 9] }],
    [{ op: 'remove', path: '/list/-1' }, { list: [1, 2] }],
    [{ op: 'replace', path: '/list/-1', value: 9 }, { list: [1, 2, 9] }],
    [{ op: 'add', path: 'skipped/c', value: 9 }, { c: 9 }],
  ])('%j is done', (operation, change) => {
    expect(applyJsonPatch(document, [operation], { lenient: true })).toEqual({ ...document, ...change })
  })

  it.each([
    { op: 'remove', path: '/a/none' },
    { op: 'move', from: '/a/none', path: '/c' },
    { op: 'replace', path: '/list/3', value: 1 },
    { op: 'test', path: '/list/9', value: null },
  ])('%j is refused all the same', (operation) => {
    expect(() => applyJsonPatch(document, [operation], { lenient: true })).toThrow(/operation 0/)
  })
})

it('adding and removing again gives the same document, and never touches the old one', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.jsonValue(), (map, key, value) => {
      fc.pre(!Object.hasOwn(map, key))
      const before = JSON.stringify(map)
      const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
      const there = applyJsonPatch(map, [{ op: 'add', path, value }])
      expect(
        applyJsonPatch(there, [
          { op: 'test', path, value },
          { op: 'remove', path },
        ]),
      ).toEqual(map)
      expect(JSON.stringify(map)).toBe(before)
    }),
  )
})

function thrown(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
