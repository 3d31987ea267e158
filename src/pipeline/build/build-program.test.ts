import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pullArtifact } from '../../oci/index.ts'
import { parseComponent } from '../config/read-component.ts'
import { resolveInputs } from '../config/resolve-inputs.ts'
import { shownJob } from '../jobs/shown-job.ts'
import { commitAll, openPipeline, type TestPipeline } from '../testdata/open-pipeline.ts'
import { build, buildOf, deploy, namespace, valueOf } from '../testdata/pipeline-jobs.ts'

let line: TestPipeline

beforeAll(async () => {
  line = await openPipeline()
})
afterAll(() => line.close())

const head = 'type: kubernetes_manifest\n'
const program = `import { defineSource } from 'lading/program'
import { z } from 'zod'
import { key } from './key.ts'
export default defineSource({
  values: z.object({ size: z.number().default(1), stage: z.string().default('none') }),
  render: ({ values, release }) => ({
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: release.name },
    data: { value: [key, values.size, values.stage, release.namespace, Date.now(), Math.random()].join(' ') },
  }),
})
`
const files = { 'app/shop.ts': program, 'app/key.ts': 'export const key: string = "a"' }

test('a program is built into the same artifact each time, with inputs in its values, and deployed', async () => {
  await line.write(files)
  await namespace(line, 'web')
  const text = `${head}name: shop\nnamespace: web\nprogram:\n  path: app/shop.ts\n  values:\n    size: "{{ .inputs.size }}"\n    stage: in-{{ .inputs.stage }}\ninputs:\n  size: {type: number}\n  stage: {default: prod}\n`
  const component = parseComponent(text, 'yaml', join(line.folder, 'component.yaml'))
  const built = await buildOf(line, resolveInputs(component, { size: '3' }))
  const again = await buildOf(line, resolveInputs(component, { size: '3' }))
  expect(built.outputs).toMatchObject({ objects: ['_shop__ConfigMap'] })
  expect(again.outputs!['digest']).toBe(built.outputs!['digest'])
  expect(JSON.stringify(shownJob(built).plan)).not.toContain('in-prod')
  await deploy(line, 'shop', 'web', built.outputs!)
  expect(await valueOf(line, 'web', 'shop')).toMatch(/^a 3 in-prod web 0 0\.\d+$/)
})

test('a program of a repository sees its checkout and nothing else', async () => {
  await line.write({
    'package.json': '{}',
    'secret.txt': 'secret',
    'repo/deploy/app/shop.ts': program,
    'repo/deploy/app/key.ts': `import fs from 'node:fs'\nexport const key = fs.readFileSync(import.meta.dirname + '/../../shared.txt', 'utf8')`,
    'repo/shared.txt': 'shared',
  })
  const repo = join(line.folder, 'repo')
  await commitAll(repo)
  const git = `public_repo:\n  repo: ${pathToFileURL(repo).href}\n  directory: deploy\n  branch: main\n`
  const built = await build(line, `${head}name: shop\nnamespace: web\nprogram: {path: app/shop.ts}\n${git}`)
  const pulled = await pullArtifact(line.open('built'), built.outputs!.digest, {}, line.ctx)
  expect(pulled.objects[0]).toMatchObject({ data: { value: expect.stringMatching(/^shared 1 none web \d+ /) } })

  await line.write({
    'repo/deploy/app/key.ts': `import fs from 'node:fs'\nexport const key = fs.readFileSync('${line.folder}/secret.txt', 'utf8')`,
  })
  await commitAll(repo)
  const denied = build(line, `${head}name: shop\nnamespace: web\nprogram: {path: app/shop.ts}\n${git}`)
  await expect(denied).rejects.toMatchObject({ code: 'program.denied' })
})

test('a program leads to one source of a component, inside of its folder', () => {
  const parse = (text: string) => parseComponent(`${head}name: a\nnamespace: b\n${text}`, 'yaml', 'a.yaml')
  expect(() => parse('program: {path: a.ts}\nmanifest: b.yaml\n')).toThrow('give exactly one of them')
  expect(() => parse('program: {}\n')).toThrow('program.path is required')
})
