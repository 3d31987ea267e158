import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { startRegistry } from '../../../sandbox/index.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'

let cli: CliSandbox

const program = `import { randomBytes } from 'node:crypto'
import { defineSource } from 'lading/program'
import { z } from 'zod'
import { labels } from './labels.ts'

export default defineSource({
  values: z.object({ size: z.int().max(9).default(2), env: z.string().optional() }),
  render: ({ values, release }) => ({
    objects: [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: release.name, labels }, data: { size: String(values.size), at: String(Date.now()) } },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: release.name }, stringData: { password: randomBytes(8).toString('hex') } },
    ],
    notes: \`size \${values.size}\`,
  }),
})
`

beforeAll(async () => {
  cli = await openCliSandbox()
})
afterAll(() => cli.close())
beforeEach(() => {
  cli.write('shop.ts', program)
  cli.write('labels.ts', `export const labels: Record<string, string> = { app: 'shop' }\n`)
})

interface Shown {
  readonly kind: string
  readonly data: { readonly size: string }
}

it('a program is installed, upgraded, planned, applied and rolled back', async () => {
  const installed = await cli.lading('install shop shop.ts -o json')
  expect(installed).toMatchObject({ code: 0 })
  expect(JSON.parse(installed.stdout)).toMatchObject({ outcome: 'deployed', source: expect.stringMatching(/^shop@/) })
  expect((await cli.lading('get notes shop')).stdout).toContain('size 2')
  expect(JSON.parse((await cli.lading('get values shop --all -o json')).stdout)).toEqual({ size: 2 })

  const upgraded = await cli.lading('upgrade shop shop.ts --set size=4')
  expect(upgraded.code).toBe(0)
  expect(upgraded.stdout + upgraded.stderr).not.toMatch(/[0-9a-f]{16}/)
  expect((await cli.lading('get manifest shop')).stdout).toContain('size: "4"')

  const plan = await cli.lading('plan upgrade shop shop.ts --set size=5 --out plan.json')
  expect(plan.code).toBe(0)
  // Random values and the time come again by the seed of the plan.
  const applied = await cli.lading('apply plan.json')
  expect(applied).toMatchObject({ code: 0 })
  expect((await cli.lading('get manifest shop')).stdout).toContain('size: "5"')

  expect((await cli.lading('rollback shop 1')).code).toBe(0)
  expect((await cli.lading('get manifest shop')).stdout).toContain('size: "2"')
})

it('a plan whose program, or a module that it imports, changed is refused', async () => {
  await cli.lading('install stale shop.ts')
  await cli.lading('plan upgrade stale shop.ts --set size=3 --out stale.json')
  cli.write('labels.ts', `export const labels = { app: 'other' }\n`)
  expect(await cli.lading('apply stale.json')).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('plan'),
  })
})

it('Secrets of a program are masked in plans and diffs', async () => {
  cli.write(
    'secret.ts',
    `export default { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'hunter22' } }\n`,
  )
  const { stdout, stderr } = await cli.lading('plan install masked secret.ts --show-creates')
  expect(stdout).toContain('Secret')
  expect(stdout + stderr).not.toContain('hunter22')
  expect((await cli.lading('diff masked secret.ts')).stdout).not.toContain('hunter22')
})

it('values are held to the schema, and errors name the file and the field', async () => {
  cli.write('prod.yaml', 'size: 10\n')
  expect(await cli.lading('template shop shop.ts -f prod.yaml')).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/the values do not fit .*shop\.ts: size: Too big.* \(given by .*prod\.yaml\)/),
  })
  const { stdout } = await cli.lading('template shop shop.ts --set size=7 -o json')
  expect((JSON.parse(stdout) as Shown[])[0]!.data.size).toBe('7')
})

it('a folder with source.ts is a program', async () => {
  mkdirSync(join(cli.cwd, 'web'), { recursive: true })
  cli.write(
    'web/source.ts',
    `export default ({ release }: any) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: release.name } })\n`,
  )
  cli.write('web/values.yaml', 'a: 1\n')
  const installed = await cli.lading('install folder web -o json')
  expect(JSON.parse(installed.stdout)).toMatchObject({ outcome: 'deployed', source: expect.stringMatching(/^web@/) })
})

it('what a program may do is allowed by flags, which other sources refuse', async () => {
  cli.write(
    'env.ts',
    `export default { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'env' }, data: { stage: String(process.env['STAGE']) } }\n`,
  )
  const env = { STAGE: 'prod' }
  expect((await cli.lading('template env.ts', { env })).stdout).toContain('stage: undefined')
  expect((await cli.lading('template env.ts --program-env STAGE', { env })).stdout).toContain('stage: prod')
  expect((await cli.lading('template env.ts --program-env STAGE')).stderr).toContain(
    'there is no such environment variable',
  )
  cli.write('map.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n')
  expect(await cli.lading('template map.yaml --program-allow-net')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('flags are for programs'),
  })
})

it('a program that does not end is ended by --timeout', async () => {
  cli.write('endless.ts', 'while (true) {}\n')
  expect(await cli.lading('install endless endless.ts --timeout 2s')).toMatchObject({ code: 5 })
  expect(await cli.lading('template endless.ts --program-timeout 1s')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('endless.ts did not end within 1 seconds'),
  })
})

it('the artifact of a program is the same each time, and draws no secrets', async () => {
  const registry = await startRegistry()
  onTestFinished(() => registry.stop())
  const at = `oci://${registry.host}/shop`
  expect(await cli.lading(`push ${at}:v1 shop.ts --plain-http`)).toMatchObject({
    code: 9,
    stderr: expect.stringContaining('crypto.randomBytes draws a random value'),
  })
  cli.write('shop.ts', program.replace('randomBytes(8)', 'Buffer.from(String(Math.random()))'))
  const digests = new Set<string>()
  for (const tag of ['v1', 'v2']) {
    const { stdout } = await cli.lading(`push ${at}:${tag} shop.ts --set size=3 --plain-http -o json`)
    digests.add((JSON.parse(stdout) as { digest: string }).digest)
  }
  expect(digests.size).toBe(1)
  const installed = await cli.lading(`install artifact ${at}:v1 --plain-http -o json`)
  expect(JSON.parse(installed.stdout)).toMatchObject({ outcome: 'deployed' })
})
