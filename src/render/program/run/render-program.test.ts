import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { context } from '../../../core/index.ts'
import { renderFile, renderText, showing, shownBy, writeFiles } from '../testdata/write-program.ts'

const map = (name: string) => `{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '${name}' } }`

describe('what a program may export', () => {
  it.each([
    ['an object', `export default ${map('a')}`, ['a']],
    ['an array, nested, with gaps', `export default [${map('a')}, [null, [${map('b')}]], undefined]`, ['a', 'b']],
    ['a List', `export default { apiVersion: 'v1', kind: 'List', items: [${map('a')}, ${map('b')}] }`, ['a', 'b']],
    ['a function', `export default ({ release }) => ({ ...${map('a')}, metadata: { name: release.name } })`, ['shop']],
    ['an async function', `export default async () => [Promise.resolve(${map('a')})]`, ['a']],
    ['a generator', `export default function* () { yield ${map('a')}; yield [${map('b')}] }`, ['a', 'b']],
    ['an async generator', `export default async function* () { yield ${map('a')} }`, ['a']],
    ['a Set', `export default new Set([${map('a')}])`, ['a']],
    ['a promise', `export default Promise.resolve(${map('a')})`, ['a']],
    [
      'a class instance',
      `class M { apiVersion = 'v1'; kind = 'ConfigMap'; metadata = { name: 'a' } }\nexport default new M()`,
      ['a'],
    ],
    [
      'a chart of cdk8s',
      `class Chart { toJson() { return [${map('a')}, ${map('b')}] } }\nexport default new Chart()`,
      ['a', 'b'],
    ],
    [
      'an app of cdk8s',
      `class App { charts = []; synthYaml() { return 'apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: a}\\n---\\napiVersion: v1\\nkind: Secret\\nmetadata: {name: b}\\n' } }\nexport default () => new App()`,
      ['a', 'b'],
    ],
    ['objects with notes', `export default { objects: [${map('a')}], notes: 'hi' }`, ['a']],
  ])('%s', async (_, text, names) => {
    const { objects } = await renderText(text.replace('({ release })', '({ release }: any)'))
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(names)
  })

  it('notes come with the objects', async () => {
    expect((await renderText(`export default { objects: [${map('a')}], notes: 'hi' }`)).notes).toBe('hi')
  })

  it('in .js and .mjs, with imports of its own and files of its folder', async () => {
    const folder = writeFiles({
      'package.json': '{"type":"module"}',
      'app/source.js': `import { name } from '../lib/name.ts'\nimport data from './data.json' with { type: 'json' }\n${showing('[name, data, files.text("conf/a.txt"), files.list("conf")]').replace(': any', '')}`,
      'app/data.json': '{"a":1}',
      'app/conf/a.txt': 'text',
      'app/conf/b/c.txt': 'more',
      'lib/name.ts': 'export const name: string = "web"',
    })
    expect(shownBy(await renderFile(join(folder, 'app/source.js')))).toEqual([
      'web',
      { a: 1 },
      'text',
      ['conf/a.txt', 'conf/b/c.txt'],
    ])
  })

  it('dates are text, undefined fields are left out, and every digit of a bigint stays', async () => {
    const { objects } = await renderText(
      `export default { ...${map('a')}, spec: { at: new Date(0), none: undefined, big: 9007199254740993n } }`,
    )
    expect(objects[0]).toMatchObject({ spec: { at: '1970-01-01T00:00:00.000Z', big: 9007199254740993n } })
    expect(objects[0]!['spec']).not.toHaveProperty('none')
  })

  it('a key called __proto__ is a key', async () => {
    const { objects } = await renderText(`export default { ...${map('a')}, data: JSON.parse('{"__proto__":"x"}') }`)
    expect(Object.keys(objects[0]!['data'] as object)).toEqual(['__proto__'])
  })

  it.each([
    ['no default export', 'export const a = 1', 'shop.ts: it has no default export'],
    ['a text', 'export default "kind: ConfigMap"', 'the output holds a string where an object is expected'],
    ['a number in a list', 'export default [1]', 'the output holds a number'],
    [
      'a function in an object',
      `export default { ...${map('a')}, data: { x() {} } }`,
      'ConfigMap a: data.x is a function',
    ],
    ['NaN', `export default { ...${map('a')}, spec: { n: NaN } }`, 'spec.n is NaN, which JSON does not have'],
    [
      'bytes',
      `export default { ...${map('a')}, spec: { b: Buffer.from('a') } }`,
      'spec.b is bytes: give text, or base64',
    ],
    ['a Map', `export default { ...${map('a')}, data: new Map() }`, 'data is a Map: give a plain object'],
    ['itself', `const a: any = ${map('a')}; a.spec = { a }\nexport default a`, 'spec.a contains itself'],
    ['a list without end', 'const a: any[] = []; a.push(a)\nexport default a', 'nested more than 100 deep'],
    [
      'no kind',
      `export default [${map('a')}, { apiVersion: 'v1', metadata: { name: 'b' } }]`,
      'shop.ts: object 2 (b): kind is missing',
    ],
  ])('but not %s', async (_, text, problem) => {
    await expect(renderText(text)).rejects.toThrow(problem)
  })
})

describe('values', () => {
  const zod = `import { defineSource } from 'lading/program'\nimport { z } from 'zod'
export default defineSource({
  values: z.object({ size: z.int().max(9).default(2), on: z.array(z.object({ name: z.string() })).optional() }),
  render: ({ values }) => ({ ...${map('a')}, data: { size: String(values.size + 1) } }),
})`
  const json = `export default {
  values: { type: 'object', required: ['name'], additionalProperties: false, properties: {
    name: { type: 'string' }, size: { type: 'integer', maximum: 9, default: 2 }, deep: { type: 'object', properties: { a: { default: 1 } } } } },
  render: ({ values }: any) => ({ ...${map('a')}, data: { shown: JSON.stringify(values) } }),
}`

  it('of a zod schema are parsed, with its defaults', async () => {
    const { objects, values } = await renderText(zod)
    expect(objects[0]).toMatchObject({ data: { size: '3' } })
    expect(values).toEqual({ size: 2 })
  })

  it('that a zod schema refuses are named with the field and who gave it', async () => {
    const givenBy = (field: string) => (field === 'on[0].name' ? 'prod.yaml' : undefined)
    const values = { size: 10, on: [{ name: 1 }] }
    const error = renderText(zod, { values, givenBy })
    await expect(error).rejects.toMatchObject({ code: 'values.invalid', details: { field: 'size' } })
    await expect(error).rejects.toThrow(/size: Too big.*; on\[0\]\.name: .*\(given by prod\.yaml\)/)
  })

  it('of a JSON Schema are held to it, with its defaults', async () => {
    const rendered = await renderText(json, { values: { name: 'a' } })
    expect(shownBy(rendered)).toEqual({ name: 'a', size: 2, deep: { a: 1 } })
    await expect(renderText(json, { values: { size: 10, more: 1 } })).rejects.toMatchObject({
      code: 'values.invalid',
      message: expect.stringMatching(/name.*size: maximum|size: maximum/s),
    })
  })

  it('without a schema are given as they are', async () => {
    expect(shownBy(await renderText(showing('[values, release, capabilities]'), { values: { a: [1] } }))).toEqual([
      { a: [1] },
      { name: 'shop', namespace: 'web', revision: 1, isInstall: true, isUpgrade: false },
      { kubeVersion: 'v1.35.0', apiVersions: ['apps/v1'] },
    ])
  })
})

describe('the same seed renders the same', () => {
  const text = showing(
    `[Math.random(), Date.now(), new Date(), Date(), crypto.randomUUID(), randomBytes(4).toString('hex'), randomInt(1000), performance.now(), new Date() instanceof Date, [...crypto.getRandomValues(new Uint8Array(4))], new Date(2020, 1).getTime(), (() => { class D extends Date {} return new D().getTime() })()]`,
    "import { randomBytes, randomInt } from 'node:crypto'",
  )

  it('time, random numbers and UUIDs', async () => {
    const first = await renderText(text)
    expect(shownBy(await renderText(text))).toEqual(shownBy(first))
    expect(shownBy(first)).toMatchObject({
      1: 1767323045000,
      2: '2026-01-02T03:04:05.000Z',
      7: 0,
      8: true,
      11: 1767323045000,
    })
    expect(first.used).toEqual({ seed: 'a', renderedAt: '2026-01-02T03:04:05.000Z' })
    const other = await renderText(text, { seed: { seed: 'b', renderedAt: '2026-01-02T03:04:05.000Z' } })
    expect((shownBy(other) as unknown[])[4]).not.toBe((shownBy(first) as unknown[])[4])
  })

  it('and what is not used is not recorded', async () => {
    expect((await renderText(`export default ${map('a')}`)).used).toEqual({})
    expect((await renderText(showing('Date.now()'))).used).toEqual({ renderedAt: '2026-01-02T03:04:05.000Z' })
  })

  it('keys are refused, and in artifacts every draw of node:crypto', async () => {
    const keys = `import { generateKeyPairSync } from 'node:crypto'\nexport default () => generateKeyPairSync('ed25519')`
    await expect(renderText(keys)).rejects.toThrow('shop.ts:2: crypto.generateKeyPairSync makes a key')
    await expect(renderText(showing('crypto.randomUUID()'), { reproducible: true })).rejects.toMatchObject({
      code: 'program.denied',
      message: expect.stringContaining('crypto.randomUUID draws a random value'),
    })
    expect(shownBy(await renderText(showing('Math.random()'), { reproducible: true }))).toBeTypeOf('number')
  })

  it('the digest follows what is loaded and read, and not where it lies', async () => {
    const files = {
      'shop.ts': `import './lib.ts'\nimport fs from 'node:fs'\n${showing("fs.readFileSync('data.txt', 'utf8')")}`,
      'lib.ts': 'export {}',
      'data.txt': 'a',
      'other.txt': 'a',
    }
    const digest = async (changed = {}) =>
      (await renderFile(join(writeFiles({ ...files, ...changed }), 'shop.ts'))).digest
    const first = await digest()
    expect(first).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(await digest({ 'other.txt': 'b' })).toBe(first)
    expect(await digest({ 'data.txt': 'b' })).not.toBe(first)
    expect(await digest({ 'lib.ts': 'export const a = 1' })).not.toBe(first)
  })
})

it('what a program prints is logged and no part of its output', async () => {
  const said: string[] = []
  const note = (message: string) => void said.push(message.replace(/^.*\//, ''))
  const log = { ...context().log, info: note, warn: note }
  const text = `console.log('one\\ntwo'); console.error('three'); export default ${map('a')}`
  const { objects } = await renderText(text, {}, {}, context({ log }))
  expect(objects).toHaveLength(1)
  expect(said.sort()).toEqual(['shop.ts: one', 'shop.ts: three', 'shop.ts: two'])
})
