import fc from '../../../testing/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { isRecord } from '../../core/index.ts'
import type { ValueSource } from '../record/record.ts'
import { type ComposedValues, composeValues, type GivenValues } from './compose-values.ts'
import { parseSet } from './parse-set.ts'
import { formatPath, type ValuePath } from './value-path.ts'

const set = (...texts: string[]) => texts.flatMap((text) => parseSet(text, { flag: 'set' }))
const files = (...all: Record<string, unknown>[]) => all.map((values, index) => ({ name: `f${index}.yaml`, values }))

/** A revision as the next one sees it. */
function previous({ values, userValues, provenance }: ComposedValues): NonNullable<GivenValues['previous']> {
  return { values, userValues, valuesProvenance: provenance }
}

describe('the values of a release', () => {
  it('come from schema defaults, defaults, files in order, then flags', () => {
    const composed = composeValues({
      schemaDefaults: { a: 'schema', b: 'schema', c: 'schema', d: 'schema', e: 'schema' },
      defaults: { b: 'default', c: 'default', d: 'default', e: 'default' },
      files: files({ c: 'first', d: 'first', e: 'first' }, { d: 'second', e: 'second' }),
      set: set('e=flag'),
    })
    expect(composed.values).toEqual({ a: 'schema', b: 'default', c: 'first', d: 'second', e: 'flag' })
    expect(composed.userValues).toEqual({ c: 'first', d: 'second', e: 'flag' })
    expect(composed.provenance.sources).toEqual({
      a: 'schema-default',
      b: 'pack-default',
      c: 'values-file',
      d: 'values-file',
      e: 'command-line',
    })
  })

  it('name the file and the text of the flag that gave a value, also after they were taken over from the revision before', () => {
    const first = composeValues({
      defaults: { a: 1, b: 1 },
      defaultsOf: 'chart',
      files: files({ b: 2 }, { c: 3 }),
      set: [...set('d=4,e.f=5'), ...parseSet(`{"g": "${'x'.repeat(500)}"}`, { flag: 'set-json' })],
    })
    expect(first.provenance).toMatchObject({
      sources: { a: 'chart-default', b: 'values-file', d: 'command-line' },
      origins: { b: 'f0.yaml', c: 'f1.yaml', d: '--set d=4', 'e.f': '--set e.f=5' },
    })
    expect(first.provenance.origins).not.toHaveProperty('a')
    expect(first.provenance.origins?.['g']).toMatch(/^--set-json \{"g": "x+…$/)
    const next = composeValues({ defaults: { a: 1 }, mode: 'reuse', previous: previous(first), set: set('d=6') })
    expect(next.provenance.origins).toMatchObject({ b: 'f0.yaml', d: '--set d=6', 'e.f': '--set e.f=5' })
  })

  it('say who gave each value, inside of lists and for what is empty too', () => {
    const { values, provenance } = composeValues({
      defaults: { image: { name: 'web', tag: '1' }, args: ['a'], empty: {}, cut: { off: 1 }, 'dotted.key': 1 },
      files: files({ ports: [{ name: 'http', port: 80 }, 443], image: { pull: [] } }),
      set: set('image.tag=2,ports[0].port=8080,ports[3]=x,cut.off=null'),
    })
    expect(values).toEqual({
      image: { name: 'web', tag: 2, pull: [] },
      args: ['a'],
      empty: {},
      cut: {},
      'dotted.key': 1,
      ports: [{ name: 'http', port: 8080 }, 443, null, 'x'],
    })
    expect(provenance.sources).toEqual({
      'image.name': 'pack-default',
      'image.tag': 'command-line',
      'image.pull': 'values-file',
      'args[0]': 'pack-default',
      empty: 'pack-default',
      cut: 'command-line',
      [String.raw`dotted\.key`]: 'pack-default',
      'ports[0].name': 'values-file',
      'ports[0].port': 'command-line',
      'ports[1]': 'values-file',
      'ports[2]': 'command-line',
      'ports[3]': 'command-line',
    })
  })

  it('fill a map that a file left empty', () => {
    const { values } = composeValues({
      files: files({ resources: null, list: null }),
      set: set('resources.cpu=1,list[0]=a'),
    })
    expect(values).toEqual({ resources: { cpu: 1 }, list: ['a'] })
  })

  it('leave what they are made of as it was', () => {
    const given = { ports: [{ port: 80 }] }
    const composed = composeValues({
      defaults: { m: { a: 1 } },
      files: files(given),
      set: set('ports[0].port=1,m.a=2'),
    })
    expect(given).toEqual({ ports: [{ port: 80 }] })
    expect(composed.values['ports']).not.toBe(composed.userValues['ports'])
  })

  it('have a source for every leaf, and for nothing else', () => {
    fc.assert(
      fc.property(map, map, map, fc.array(line, { maxLength: 3 }), map, fc.boolean(), (a, b, c, lines, old, reuse) => {
        const before = composeValues({ defaults: a, files: files(old) })
        const composed = composeValues({
          schemaDefaults: a,
          defaults: b,
          files: files(c),
          set: lines.flatMap((text) => parseSet(text, { flag: 'set' })),
          previous: previous(before),
          mode: reuse ? 'reuse' : 'reset',
        })
        expect(Object.keys(composed.provenance.sources).sort()).toEqual(leaves(composed.values, []).sort())
      }),
    )
  })
})

describe('an upgrade', () => {
  const old = composeValues({
    defaults: { replicas: 1, image: { name: 'web', tag: '1' }, old: true, debug: true },
    files: files({ image: { tag: 'mine' }, ports: [1, 2] }),
    set: set('replicas=3,debug=null'),
  })
  const defaults = { replicas: 2, image: { name: 'shop', tag: '2' }, fresh: true, debug: true }

  it.for(['reuse', 'reset-then-reuse'] as const)(
    'with %s keeps what the user said over the new defaults, and takes new defaults where he said nothing',
    (mode) => {
      const composed = composeValues({ defaults, previous: previous(old), mode, set: set('ports={9},extra=1') })
      expect(composed.values).toEqual({
        replicas: 3,
        image: { name: 'shop', tag: 'mine' },
        fresh: true,
        ports: [9],
        extra: 1,
      })
      expect(composed.provenance.sources).toEqual({
        replicas: 'command-line',
        'image.name': 'pack-default',
        'image.tag': 'values-file',
        fresh: 'pack-default',
        'ports[0]': 'command-line',
        extra: 'command-line',
      })
      expect(composed.userValues).toEqual({
        replicas: 3,
        image: { tag: 'mine' },
        ports: [9],
        debug: null,
        extra: 1,
      })
    },
  )

  it('that reuses values twice still knows who gave them', () => {
    const once = composeValues({ defaults, previous: previous(old), mode: 'reuse' })
    const twice = composeValues({ defaults, previous: previous(once), mode: 'reuse' })
    expect(twice).toEqual(once)
    expect(twice.provenance.sources).toMatchObject({ replicas: 'command-line', 'ports[1]': 'values-file' })
  })

  it('with reset forgets what the user said', () => {
    const composed = composeValues({ defaults, previous: previous(old), mode: 'reset' })
    expect(composed).toMatchObject({ values: defaults, userValues: {} })
  })

  it('without a flag keeps what the user said only when nothing is said now, as helm does', () => {
    expect(composeValues({ defaults, previous: previous(old) }).userValues).toEqual(old.userValues)
    expect(composeValues({ defaults, previous: previous(old), set: set('a=1') }).userValues).toEqual({ a: 1 })
  })

  it('removes a reused value and its default by null', () => {
    const composed = composeValues({ defaults, previous: previous(old), mode: 'reuse', set: set('replicas=null') })
    expect(composed.values).not.toHaveProperty('replicas')
  })

  it('finds what the user said in a record that keeps only merged values', () => {
    const sources: Record<string, ValueSource> = {
      replicas: 'command-line',
      'image.name': 'pack-default',
      args: 'pack-default',
    }
    const values = { replicas: 3, image: { name: 'web', tag: 'mine' }, args: ['a', 'b'], old: { x: 1 } }
    const composed = composeValues({
      defaults: { args: ['c'], image: { name: 'shop' } },
      previous: { values, valuesProvenance: { sources: { ...sources, 'old.x': 'schema-default' } } },
      mode: 'reuse',
    })
    expect(composed.userValues).toEqual({ replicas: 3, image: { tag: 'mine' } })
    expect(composed.values).toEqual({ args: ['c'], image: { name: 'shop', tag: 'mine' }, replicas: 3 })
    expect(composed.provenance.sources).toMatchObject({ replicas: 'command-line', 'image.tag': 'merged' })
  })
})

function leaves(value: unknown, path: ValuePath): string[] {
  const children: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isRecord(value)
      ? Object.entries(value)
      : []
  if (children.length === 0) return path.length === 0 ? [] : [formatPath(path)]
  return children.flatMap(([step, child]) => leaves(child, [...path, step]))
}

const key = fc.constantFrom('a', 'b', 'a.b', 'a[0]', '', '__proto__', String.raw`a\.b`)
const { map } = fc.letrec((tie) => ({
  node: fc.oneof({ maxDepth: 3 }, fc.constantFrom(null, 1, 'x'), tie('map'), fc.array(tie('node'), { maxLength: 2 })),
  map: fc.dictionary(key, tie('node'), { maxKeys: 3, noNullPrototype: true }),
}))
// Keys of their own, so that none of them stands in the way of another.
const line = fc.constantFrom('p.q[1].r=1', 'p.q[0].r=null', 'v={}', 'w.a=1,w.b=null', 'p.s=')
