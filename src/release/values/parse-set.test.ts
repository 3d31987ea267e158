import { describe, expect, it } from 'vitest'
import { composeValues } from './compose-values.ts'
import { parseSet } from './parse-set.ts'
import type { SetFlag } from './set-cursor.ts'

describe('a flag that sets values', () => {
  it('gives the path, the value, the place and the text of each', () => {
    expect(parseSet('image.tag=1.5,ports[1]={80,x},on=TRUE', { flag: 'set' })).toEqual([
      { flag: 'set', path: ['image', 'tag'], value: '1.5', position: 1, text: 'image.tag=1.5' },
      { flag: 'set', path: ['ports', 1], value: [80, 'x'], position: 15, text: 'ports[1]={80,x}' },
      { flag: 'set', path: ['on'], value: true, position: 31, text: 'on=TRUE' },
    ])
  })

  it('keeps every digit of a whole number', () => {
    expect(parseSet('a=9007199254740993', { flag: 'set' })[0]?.value).toBe(9007199254740993n)
    expect(parseSet('a=9007199254740993', { flag: 'set-json' })[0]?.value).toBe(9007199254740993n)
  })

  it('sets nothing when it is empty', () => {
    for (const flag of ['set', 'set-string', 'set-file', 'set-json', 'set-literal'] as const)
      expect(parseSet('', { flag })).toEqual([])
  })

  it.for<[SetFlag, string, string]>([
    ['set', 'a', '--set, character 1: a has no value'],
    ['set', 'x=1,a.b', '--set, character 7: a.b has no value'],
    ['set', String.raw`a\.b,c=1`, String.raw`--set, character 1: a\.b has no value`],
    ['set', 'a=1,,b=2', '--set, character 5: a key is expected here'],
    ['set', '=1', '--set, character 1: a key is expected here'],
    ['set', '.a=1', '--set, character 1: a key is expected here'],
    ['set', '[0]=1', '--set, character 1: a key is expected here'],
    ['set', 'a.=1', '--set, character 3: a key is expected here'],
    ['set', 'a[=1', '--set, character 3: an index from 0 to 65536 and ] are expected here'],
    ['set', 'a[-1]=1', '--set, character 3: an index from 0 to 65536 and ] are expected here'],
    ['set', 'a[65537]=1', '--set, character 3: an index from 0 to 65536 and ] are expected here'],
    ['set', 'a[0]', '--set, character 1: a[0] has no value'],
    ['set', 'a[0]x=1', '--set, character 5: =, . or [ is expected after an index'],
    ['set-string', 'a={1,2', '--set-string, character 3: the list has no }'],
    ['set', 'a={1}b=2', '--set, character 6: a comma is expected after the value of a'],
    ['set-literal', 'a.b', '--set-literal, character 3: a.b has no value'],
    ['set-literal', 'a[x]=1', '--set-literal, character 3: an index from 0 to 65536 and ] are expected here'],
    ['set-json', 'a={"k": hush', '--set-json, character 3: this is no JSON value'],
    ['set-json', 'a=1 b=2', '--set-json, character 5: a comma is expected after the value of a'],
    ['set-json', ' {"a": 1}, b', '--set-json, character 10: nothing may follow the JSON object'],
    ['set-json', `a=${'['.repeat(1001)}`, '--set-json, character 1003: nested deeper than 1000 levels'],
    ['set', `${'a.'.repeat(31)}a=1`, '--set, character 63: nested deeper than 30 levels'],
    ['set', 'a=1,b=2,a.b=2', '--set, character 9: a.b cannot be set, for a is no map'],
    ['set', 'a.b=1,a.b[0]=2', '--set, character 7: a.b[0] cannot be set, for a.b is no list'],
  ])('of --%s %s is refused with its place', ([flag, text, message]) => {
    const failure = failureOf(() => composeValues({ set: parseSet(text, { flag }) }))
    expect(failure).toMatchObject({ code: 'values.invalid', message, details: { flag } })
    expect(JSON.stringify(failure)).not.toContain('hush')
  })

  it('cannot reach the prototype of anything', () => {
    const text = '__proto__.a=1,constructor.prototype.b=2,list[0].__proto__.c=3'
    const { values } = composeValues({ set: parseSet(text, { flag: 'set' }) })
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype)
    expect(Object.keys(values)).toEqual(['__proto__', 'constructor', 'list'])
    for (const key of ['a', 'b', 'c']) expect(({} as Record<string, unknown>)[key]).toBeUndefined()
  })
})

function failureOf(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  return undefined
}
