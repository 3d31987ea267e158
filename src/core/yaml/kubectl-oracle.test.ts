import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import fc from '../../../testing/fast-check.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { noNpmClients, npmClients } from '../../../testbed/npm-clients.ts'
import { isLadingError } from '../errors.ts'
import { isRecord, parseJson } from '../json/json.ts'
import { readObjects } from './read-objects.ts'
import spellings from './testdata/spellings.json' with { type: 'json' }
import { writeDocuments, writeYaml } from './write-yaml.ts'

const { scalars, keys } = spellings
const reason = noNpmClients === undefined ? '' : ` (${noNpmClients})`
const thing = (name: string) => `apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: ${name}}\n`

let kubectl = ''

// Of kubectl's commands that read objects, `create --dry-run=client` asks a server for its kinds; this one reads the
// same way and asks nobody.
async function kubectlReads(input: string): Promise<{ objects: unknown[]; failed: boolean }> {
  const child = spawn(kubectl, ['patch', '--local', '--type=merge', '-p', '{}', '-o', 'json', '-f', '-'], {
    env: { KUBECONFIG: '/dev/null' },
  })
  child.stdin.end(input)
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [output, code] = await Promise.all([text(child.stdout), exited, text(child.stderr)])
  const objects = output.split(/(?<=^\}\n)/m).filter((part) => part !== '')
  return { objects: objects.map((part) => narrow(parseJson(part))), failed: code !== 0 }
}

// Integers past 64 bits are floats to Kubernetes, however many digits are printed.
function narrow(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(narrow)
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, narrow(item)]))
  if (typeof value !== 'bigint') return value
  const isWide = value < -(2n ** 63n) || value >= 2n ** 63n
  return isWide || Number.isSafeInteger(Number(value)) ? Number(value) : value
}

function weRead(input: string): { objects: unknown[]; failed: boolean } {
  try {
    return { objects: readObjects(input), failed: false }
  } catch (error) {
    if (isLadingError(error)) return { objects: [], failed: true }
    throw error
  }
}

describe.skipIf(noNpmClients !== undefined)(`what kubectl reads${reason}`, () => {
  beforeAll(async () => {
    kubectl = (await npmClients())!.kubectl
  })

  it('is what we read, for every spelling of a scalar', async () => {
    const input = `${thing('scalars')}list:\n${scalars.map((scalar) => `- ${scalar}\n`).join('')}`
    const theirs = await kubectlReads(input)
    expect(theirs.failed).toBe(false)
    const spelled = (objects: unknown[]) => {
      const { list } = objects[0] as { list: unknown[] }
      return list.map((value, index) => [scalars[index], value])
    }
    expect(spelled(weRead(input).objects)).toEqual(spelled(theirs.objects))
  })

  it('is what we read, for every spelling of a key', async () => {
    const input = keys.map((key, index) => `${thing(`k${index}`)}map: {${key}: 1}\n`).join('---\n')
    expect(weRead(input)).toEqual(await kubectlReads(input))
  })

  it.for(structures)('is what we read: %s', async ([, input]) => {
    const theirs = await kubectlReads(input)
    expect(theirs.failed).toBe(false)
    expect(weRead(input).objects).toEqual(theirs.objects)
  })

  it.for(refused)('is refused by us where kubectl refuses: %s', async ([, input]) => {
    expect((await kubectlReads(input)).failed).toBe(true)
    expect(weRead(input).failed).toBe(true)
  })

  it('is what we wrote, and what any YAML 1.1 reader reads', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(json, { minLength: 40, maxLength: 60 }), async (values) => {
        const objects = values.map((value, index) => ({
          apiVersion: 'example.com/v1',
          kind: 'Thing',
          metadata: { name: `n${index}` },
          value,
        }))
        const written = writeDocuments(objects)
        expect(readObjects(written)).toEqual(objects)
        expect((await kubectlReads(written)).objects).toEqual(objects)
        for (const object of objects) {
          const document = parseDocument(writeYaml(object), { version: '1.1', intAsBigInt: true })
          expect(document.errors).toEqual([])
          expect(narrow(document.toJS())).toEqual(object)
        }
      }),
      { numRuns: 12, seed: 2 },
    )
  })
})

const pem = '-----BEGIN CERTIFICATE-----\n  MIIB\n  -----END CERTIFICATE-----'
const structures: [string, string][] = [
  ['anchors and aliases', `${thing('a')}a: &x {b: [1, &z two]}\nc: *x\nd: *z\ne: &x 5\nf: *x\n`],
  ['a merge, own key after it', `${thing('a')}a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  b: 9\n`],
  ['a merge, own key before it', `${thing('a')}a: &x {b: 1, c: 2}\nd:\n  b: 9\n  <<: *x\n`],
  ['a merge of a list', `${thing('a')}a: &x {b: 1}\nc: &y {b: 2, d: 3}\ne:\n  <<: [*x, *y, {f: 1}]\n`],
  ['two merges', `${thing('a')}a: &x {b: 1}\nc: &y {b: 2, d: 3}\ne:\n  <<: *x\n  <<: *y\n`],
  ['a merge of a merge', `${thing('a')}a: &x {b: 1}\nc: &y\n  <<: *x\n  d: 3\ne:\n  <<: *y\n`],
  ['--- in a block scalar', `${thing('a')}a: |\n  ---\n  b\nc: |\n  x\n   ---\n---\n${thing('b')}`],
  ['PEM blocks', `${thing('a')}a: |\n  ${pem}\nb: "\n  ${pem}"\n---\n${thing('b')}`],
  [
    'comments and empty documents',
    `# hi\n---\n# none\n---\n\n--- # why\n${thing('a')}# end\n---\n---   \n${thing('b')}---\n`,
  ],
  ['CRLF', `${thing('a')}a: |\n  x\n  y\nb: "p\n  q"\n---\n${thing('b')}`.replaceAll('\n', '\r\n')],
  ['a byte order mark', `\ufeff${thing('a')}`],
  ['no newline at the end', `${thing('a')}a: b`],
  ['a document end', `${thing('a')}...\n---\n${thing('b')}...\n`],
  ['tabs between tokens', `${thing('a')}a:\tb\nc: [\t1,\t2\t]\t# x\n`],
  [
    'brackets that close under their key',
    `${thing('a')}a: [\n  b\n]\nc:\n- d: {\n  e: [\n'f',\n"g]"\n  ]}\n  h: i\n- [\n1 # ]\n]\n`,
  ],
  ['tabs within flow collections', `${thing('a')}a: {\n\t"b": "c\td",\n\te: 'f'\n\t}\nf:\t[\t1,\t'2'\t]\n`],
  ['quoted text at its key’s column', `${thing('a')}a: "x\ny\n\n\tz \\\n  w"\nb: 'x''\ny: [\n'\nc: d\n`],
  [
    'plain text with quotes next to loose brackets',
    `${thing('a')}a: it\n  'is\nb: |\n  "[\nc: [\n!!str 1\n]\nd: don't\n`,
  ],
  ['lists at their key’s column', `${thing('a')}a:\n- b:\n  - c\n  d: e\n-\n  - 1\n- - 2\n  - 3\n`],
  [
    'JSON',
    '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"a":[1,1.5,"\\ud83d\\ude00",null,1e3]}',
  ],
  [
    'JSON after JSON',
    '{"apiVersion":"v1","kind":"A","metadata":{"name":"a"}}\n {"apiVersion":"v1","kind":"A","metadata":{"name":"b"}}',
  ],
  ['JSON and YAML', `{"apiVersion":"v1","kind":"A","metadata":{"name":"a"}}\n---\n${thing('b')}`],
  ['flow YAML', '{apiVersion: v1, kind: A, metadata: {name: a, yes: no}}'],
  [
    'a List',
    `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A, metadata: {name: a}}\n- {apiVersion: v1, kind: B, metadata: {name: b}}\n`,
  ],
  [
    'a typed list',
    `apiVersion: x/v1\nkind: FooList\nmetadata: {}\nitems:\n- {metadata: {name: a}}\n- {apiVersion: v1, kind: B, metadata: {name: b}}\n`,
  ],
  ['an empty List', `apiVersion: v1\nkind: List\nitems: []\n---\n${thing('a')}`],
  ['a long key', `${thing('a')}? ${'k'.repeat(2000)}\n: v\n`],
]

const refused: [string, string][] = [
  ['infinity', `${thing('a')}a: .inf\n`],
  ['not a number', `${thing('a')}a: .nan\n`],
  ['a null key', `${thing('a')}a: {~: 1}\n`],
  ['a list as key', `${thing('a')}a:\n  ? [b]\n  : c\n`],
  ['an unknown alias', `${thing('a')}a: *b\n`],
  ['an alias inside of its anchor', `${thing('a')}a: &b [*b]\n`],
  ['a merge of a scalar', `${thing('a')}a: {<<: 1}\n`],
  ['tabs as indentation', `${thing('a')}a:\n\tb: c\n`],
  ['an open quote', `${thing('a')}a: "b\n`],
  ['two values', `${thing('a')}a: b: c\n`],
  ['an open bracket', `${thing('a')}a: [b\n`],
  ['a value of another tag', `${thing('a')}a: !!int foo\n`],
  ['bad base64', `${thing('a')}a: !!binary "*"\n`],
  ['a control character', `${thing('a')}a: "\u0001"\n`],
  ['NUL', `${thing('a')}a: "\0"\n`],
  ['no kind', 'apiVersion: v1\nmetadata: {name: a}\n'],
  ['a scalar as document', 'hello\n'],
  ['a list as document', '- a\n'],
  ['a numeric kind', 'apiVersion: v1\nkind: 1\nmetadata: {name: a}\n'],
  ['an untyped item of a List', 'apiVersion: v1\nkind: List\nitems: [{metadata: {name: a}}]\n'],
  ['an alias bomb', `${thing('a')}a0: &a0 [x, x, x, x, x, x, x, x, x]\n${bomb()}`],
]

function bomb(): string {
  const lines = []
  for (let level = 1; level < 10; level++) {
    const alias = `*a${level - 1}`
    lines.push(`a${level}: &a${level} [${Array(9).fill(alias).join(', ')}]\n`)
  }
  return lines.join('')
}

const nasty = fc.constantFrom(...scalars, ...spellings.nasty, pem)
const unit = fc.oneof(fc.constant('grapheme' as const), fc.constant('binary' as const))
const string = fc.oneof(
  nasty,
  fc.string(),
  unit.chain((kind) => fc.string({ unit: kind })),
)
// Whole numbers past 2^53 are bigints to us, and past 2^63 floats to kubectl: these have one form only.
const isOneWay = (value: number) => !Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) > 2 ** 64
const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter(isOneWay)
    .map((value) => value + 0),
  fc.bigInt({ min: 2n ** 53n + 1n, max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) - 1n }),
)
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    string,
    number,
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('map'),
  ),
  list: fc.array(tie('json'), { maxLength: 4 }),
  map: fc.dictionary(fc.oneof(string, fc.constant('__proto__'), fc.constant('k'.repeat(1100))), tie('json'), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
}))
