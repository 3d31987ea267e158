import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../testbed/npm-clients.ts'
import { writeFiles } from '../../../testing/write-files.ts'
import { execHelm } from '../testdata/exec-helm.ts'
import { runCli } from '../testdata/run-cli.ts'

const big = '9007199254740993'
const largest = '9223372036854775807'
const schemas: Readonly<Record<string, string>> = {
  'minimum above': `{"minimum": ${big}}`,
  'minimum equal to the double': '{"minimum": 9007199254740992}',
  'maximum below': '{"maximum": 9007199254740992}',
  'exclusive minimum': '{"exclusiveMinimum": 9007199254740992}',
  'exclusive maximum': `{"exclusiveMaximum": ${big}}`,
  'maximum of int64': `{"maximum": ${largest}}`,
  const: `{"const": ${big}}`,
  'const of int64': `{"const": ${largest}}`,
  enum: `{"enum": [1, ${big}, ${largest}]}`,
  'enum of one': `{"enum": [9007199254740991]}`,
  'multiple of 2': '{"multipleOf": 2}',
  'multiple of 3': '{"multipleOf": 3}',
  'multiple of a large number': `{"multipleOf": ${big}}`,
  'multiple of a fraction': '{"multipleOf": 0.5}',
  integer: '{"type": "integer"}',
  'a list without duplicates': '{"uniqueItems": true}',
}
const ways: readonly (readonly string[])[] = [
  ['--set', `id=${big}`],
  ['--set', `id=${largest}`],
  ['--set-json', `id=${big}`],
  ['--set', `id={9007199254740992,${big}}`],
  ['--set-json', `id=[9007199254740992,${big}]`],
  ['-f', 'big.yaml'],
  ['-f', 'largest.yaml'],
  [],
]

let folder = ''
let helm = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lading-exact-schema-'))
  helm = (await npmClients())?.helm ?? ''
  for (const [index, schema] of Object.values(schemas).entries()) {
    await writeFiles(join(folder, `chart-${index}`), {
      'Chart.yaml': 'apiVersion: v2\nname: exact\nversion: 1.0.0\n',
      'values.yaml': `id: ${big}\n`,
      'values.schema.json': `{"properties": {"id": ${schema}}}`,
      'templates/x.yaml': '# nothing\n',
    })
  }
  await writeFiles(folder, { 'big.yaml': `id: ${big}\n`, 'largest.yaml': `id: ${largest}\n` })
})
afterAll(() => rmSync(folder, { recursive: true }))

it.skipIf(noNpmClients !== undefined).each(Object.keys(schemas).map((name, index) => [name, index] as const))(
  'a schema judges integers past 2^53 as helm does: %s',
  async (_name, index) => {
    for (const way of ways) {
      const theirs = await execHelm(helm, folder, 'template', 'x', `chart-${index}`, ...way)
      const ours = await runCli({ cwd: folder }, 'template', 'x', `chart-${index}`, ...way)
      expect([way, ours.code === 0, problems(ours.stderr)]).toEqual([way, theirs.code === 0, problems(theirs.stderr)])
    }
  },
)

function problems(text: string): string[] {
  // Lading puts a mark before each further line of a message.
  return text.split('\n').flatMap((line) => /^(?: {2}\| )?(- at .*)/.exec(line)?.[1] ?? [])
}
