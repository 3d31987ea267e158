import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from '../../../../testing/fast-check.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../../testbed/npm-clients.ts'
import { askHelm } from './testdata/helm-oracle.ts'
import { expressionRunner, readValues } from './testdata/run-expression.ts'

const character = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...Array.from('abyYnN01.-+_:#{}[]&*!|>%@`"\',?=~<\\/ eExX\t\n')) },
  { weight: 1, arbitrary: fc.constantFrom('é', '日', '😀', '\u00a0', '\r', '\u0001', '\u200b', '\ufeff') },
)
const text = fc.oneof(
  fc.array(character, { maxLength: 12 }).map((parts) => parts.join('')),
  fc
    .array(fc.constantFrom('word', 'a', 'longer-word', ' ', "'", 'x: y', '#'), { maxLength: 40 })
    .map((words) => words.join(' ')),
)
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
)
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(text, tie('any'), { maxKeys: 5 }),
  ),
})).any

const templates = [
  'toYaml $v',
  'toJson $v',
  'toPrettyJson $v',
  'toRawJson $v',
  'toYamlPretty $v',
  'quote $v',
  'printf "%v|%q|%T" $v (toString $v) $v',
  'toYaml $v | fromYaml | toJson',
  'toJson (dict "k" $v) | fromJson | toJson',
  'toYaml (dict "k" (list $v)) | indent 2',
  'toToml (dict "k" $v)',
  'toYaml $v | sha256sum',
]

describe.skipIf(noNpmClients !== undefined)('random values', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lading-random-'))
  })
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  it('come out of every function as they do from the real helm', async () => {
    const samples = fc.sample(value, { numRuns: 200, seed: 20_261 })
    const file = join(folder, 'values.yaml')
    await writeFile(file, escapeMarks(JSON.stringify({ all: samples }, null, 1)))
    const expressions = samples.flatMap((_, at) =>
      templates.map((template) => `$v := index .Values.all ${at} }}{{ ${template}`),
    )
    const said = await askHelm((await npmClients())!.helm, expressions, file)
    const run = expressionRunner(readValues(file))
    const differences = expressions
      .map((expression) => ({ expression, ours: run(expression), helm: said.get(expression) }))
      .filter(({ ours, helm }) => JSON.stringify(ours) !== JSON.stringify(helm))
    expect(differences.slice(0, 5)).toEqual([])
  })
})

// To YAML this is a mark, which may not stand in a key as it is.
function escapeMarks(json: string): string {
  return json.replaceAll(/\ufeff/g, (found) => `\\u${found.charCodeAt(0).toString(16)}`)
}
