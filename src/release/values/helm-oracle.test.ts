import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from '../../../testing/fast-check.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../testbed/npm-clients.ts'
import { context, isLadingError, parseJson, stringifyJson } from '../../core/index.ts'
import { composeValues } from './compose-values.ts'
import { readValues } from './read-values.ts'
import type { SetFlag } from './set-cursor.ts'
import spellings from './testdata/set-spellings.json' with { type: 'json' }

const reason = noNpmClients === undefined ? '' : ` (${noNpmClients})`

interface Flag {
  readonly flag: SetFlag
  readonly text: string
}

interface Input {
  readonly defaults?: Record<string, unknown>
  readonly files?: readonly Record<string, unknown>[]
  readonly set?: readonly Flag[]
}

let root = ''
let helm = ''

/** The values that a template of a chart sees; undefined when helm refuses. */
async function helmValues({ defaults = {}, files = [], set = [] }: Input): Promise<unknown> {
  const chart = await mkdtemp(join(root, 'chart-'))
  await mkdir(join(chart, 'templates'))
  await writeFile(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: oracle\nversion: 0.1.0\n')
  await writeFile(join(chart, 'values.yaml'), stringifyJson(defaults))
  await writeFile(join(chart, 'templates', 'values.yaml'), '{{ .Values | toJson }}')
  const paths = await writeFiles(chart, files)
  const flags = [...paths.flatMap((path) => ['-f', path]), ...set.flatMap(({ flag, text }) => [`--${flag}`, text])]
  const env = { HOME: root, PATH: '/nonexistent', KUBECONFIG: '/dev/null' }
  try {
    const options = { env, cwd: root, maxBuffer: 64 * 1024 * 1024 }
    const { stdout } = await promisify(execFile)(helm, ['template', 'oracle', chart, ...flags], options)
    return parseJson(stdout.slice(stdout.indexOf('\n{') + 1))
  } catch {
    return undefined
  }
}

/** The same, as Lading sees them. */
async function ourValues({ defaults = {}, files = [], set = [] }: Input): Promise<unknown> {
  const folder = await mkdtemp(join(root, 'ours-'))
  try {
    const inFolder = set.map((each) => ({ ...each, text: each.text.replaceAll('content', join(root, 'content')) }))
    const given = await readValues({ files: await writeFiles(folder, files), set: inFolder }, {}, context())
    return composeValues({ defaults, ...given }).values
  } catch (error) {
    if (isLadingError(error, 'values.invalid')) return undefined
    throw error
  }
}

async function writeFiles(folder: string, files: readonly Record<string, unknown>[]): Promise<string[]> {
  const paths = files.map((_, index) => join(folder, `given-${index}.yaml`))
  for (const [index, path] of paths.entries()) await writeFile(path, stringifyJson(files[index]))
  return paths
}

describe.skipIf(noNpmClients !== undefined)(`values as helm makes them${reason}`, () => {
  beforeAll(async () => {
    helm = (await npmClients())!.helm
    root = await mkdtemp(join(tmpdir(), 'lading-values-'))
    await writeFile(join(root, 'content'), 'a: "text", with\nlines\n')
  })
  afterAll(async () => rm(root, { recursive: true, force: true }))

  // `@` is a key of its own for each spelling, so that all of them take one call.
  it.for(Object.entries(spellings) as [SetFlag, string[]][])(
    'come from every spelling of --%s',
    async ([flag, texts]) => {
      const set = texts.map((text, index) => ({ flag, text: text.replaceAll('@', `k${index}`) }))
      const theirs = await helmValues({ set })
      expect(theirs).toBeDefined()
      const spelled = (values: unknown) =>
        texts.map((text, index) => [text, (values as Record<string, unknown>)[`k${index}`]])
      expect(spelled(await ourValues({ set }))).toEqual(spelled(theirs))
      expect(await ourValues({ set })).toEqual(theirs)
    },
  )

  it.for(refused)('are refused for --%s %s', async ([flag, text]) => {
    expect(await helmValues({ set: [{ flag, text }] })).toBeUndefined()
    expect(await ourValues({ set: [{ flag, text }] })).toBeUndefined()
  })

  it('come from files and flags in the same order', async () => {
    const input: Input = {
      defaults: { a: 1, list: [1, 2], map: { x: 1, y: 2 }, gone: { z: 1 }, web: { image: 'web', tag: '1' } },
      files: [
        { list: [3, { n: 1 }], map: { y: 3 }, fromFile: [{ name: 'a', port: 1 }, 2] },
        { map: { x: null, w: [] }, web: { tag: '2' } },
      ],
      set: [
        { flag: 'set-literal', text: 'literal=a,b={c}' },
        { flag: 'set-file', text: 'order=content' },
        { flag: 'set-string', text: 'order=string,map.y=7' },
        { flag: 'set', text: 'order=set,fromFile[0].port=8080,fromFile[2]=new,gone=null' },
        { flag: 'set-json', text: 'order="json",web={"pull":true}' },
        { flag: 'set-json', text: ' {"map": {"deep": {"er": [1]}}, "a": null} ' },
      ],
    }
    const theirs = await helmValues(input)
    expect(theirs).toBeDefined()
    expect(await ourValues(input)).toEqual(theirs)
  })

  it('come from any defaults and any files', async () => {
    const cases = fc.sample(fc.tuple(tree, tree, tree), { numRuns: 400, seed: 5 })
    // A null over a null stays one, but at the top level helm takes it away: hence a level more.
    const keyed = (at: 0 | 1 | 2) => Object.fromEntries(cases.map((each, index) => [`k${index}`, { v: each[at] }]))
    const input: Input = { defaults: keyed(0), files: [keyed(1), keyed(2)] }
    const theirs = (await helmValues(input)) as Record<string, unknown>
    expect(theirs).toBeDefined()
    const ours = (await ourValues(input)) as Record<string, unknown>
    const shown = (values: Record<string, unknown>) => cases.map((given, index) => [given, values[`k${index}`]])
    expect(shown(ours)).toEqual(shown(theirs))
  })

  it('come from any --set', async () => {
    // Of a map in a list helm loses an empty value at the very end of its text: hence the comma there.
    const lines = fc.sample(fc.array(setting, { minLength: 1, maxLength: 4 }), { numRuns: 800, seed: 7 })
    const set: Flag[] = []
    for (const [index, settings] of lines.entries()) {
      const flag: Flag = { flag: 'set', text: settings.map((each) => `k${index}.${each},`).join('') }
      if ((await ourValues({ set: [flag] })) !== undefined) set.push(flag)
    }
    expect(set.length).toBeGreaterThan(300)
    const theirs = await helmValues({ set })
    expect(theirs).toBeDefined()
    expect(await ourValues({ set })).toEqual(theirs)
  })
})

const refused: [SetFlag, string][] = [
  ['set', 'a'],
  ['set', 'a,b=1'],
  ['set', 'a=1,,b=2'],
  ['set', 'a.=1'],
  ['set', 'a={1,2'],
  ['set', 'a[x]=1'],
  ['set', 'a[-1]=1'],
  ['set', 'a[65537]=1'],
  ['set', 'a[0]b=1'],
  ['set', 'a=1,a.b=2'],
  ['set', 'a=1,a[0]=2'],
  ['set', 'a[0]=1,a[0][0]=2'],
  ['set', `${'a.'.repeat(31)}a=1`],
  ['set-literal', 'a'],
  ['set-literal', 'a,b'],
  ['set-literal', 'a[-1]=1'],
  ['set-literal', 'a[0]b=1'],
  ['set-json', 'a=x'],
  ['set-json', 'a={"b":'],
  ['set-json', '{"a":1} b'],
]

const word = fc.constantFrom('a', 'b', 'c')
const { node: tree } = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    { weight: 2, arbitrary: fc.constantFrom(null, 1, 'x', true) },
    { weight: 3, arbitrary: fc.dictionary(word, tie('node'), { maxKeys: 3, noNullPrototype: true }) },
    { weight: 1, arbitrary: fc.array(tie('node'), { maxLength: 2 }) },
  ),
}))

const piece = fc
  .array(fc.constantFrom('a', '1', ' ', '.', ',', '=', '[', ']', '{', '}', '\\', 'ä', '😀', '"'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((chars) => chars.map((char) => (/[\\.,=[\]{}]/.test(char) ? `\\${char}` : char)).join(''))
const value = fc.oneof(
  piece,
  fc.constantFrom('', '1', '-2', 'true', 'x'),
  fc.array(piece, { maxLength: 3 }).map((items) => `{${items.join(',')}}`),
)
const index = fc.nat({ max: 2 }).map((at) => `[${at}]`)
const step = fc
  .tuple(fc.oneof(word, piece), fc.array(index, { maxLength: 2 }))
  .map(([key, indexes]) => key + indexes.join(''))
const setting = fc
  .tuple(fc.array(step, { minLength: 1, maxLength: 3 }), value)
  .map(([steps, text]) => `${steps.join('.')}=${text}`)
