import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeFiles } from '../../../testing/write-files.ts'
import { type CliSandbox, openCliSandbox } from '../testdata/cli-sandbox.ts'
import { runCli } from '../testdata/run-cli.ts'

const size = 12_000_000
const letters = 'a'.repeat(size)

let cli: CliSandbox
beforeAll(async () => {
  cli = await openCliSandbox()
  const configMap = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: large\ndata:\n  text: ${letters}\n`
  await writeFiles(cli.cwd, {
    'large.yaml': configMap,
    'large.txt': letters,
    'kustomize/kustomization.yaml':
      'resources: [large.yaml]\nnamePrefix: a-\nsecretGenerator: [{name: s, files: [large.txt]}]\n',
    'kustomize/large.yaml': configMap,
    'kustomize/large.txt': letters,
    'chart/Chart.yaml': 'apiVersion: v2\nname: large\nversion: 1.0.0\n',
    'chart/templates/all.yaml': template,
  })
})
afterAll(() => cli.close())

it.each([
  ['a manifest', 'template x large.yaml', 1],
  ['a kustomization', 'build kustomize', 2],
  ['a chart', 'template x chart --set-file text=large.txt', 2],
])('%s with one scalar of 12 MB is rendered', async (_name, command, times) => {
  const { code, stderr, stdout } = await runCli({ cwd: cli.cwd }, ...command.split(' '))
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.length).toBeGreaterThanOrEqual(times * size)
})

it('an object that is larger than the API server takes is refused in one sentence', async () => {
  for (const command of ['install large large.yaml', 'diff large large.yaml']) {
    const { code, stderr } = await cli.lading(command)
    expect([command, code]).not.toEqual([command, 0])
    expect(stderr).not.toMatch(/defect in Lading|call stack/)
    expect(stderr.length).toBeLessThan(2000)
  }
})

const template = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  text: {{ .Values.text | quote }}
  sum: {{ .Values.text | sha256sum }}
  back: {{ (fromYaml (toYaml .Values)).text | len | quote }}
  json: {{ (fromJson (toJson .Values)).text | len | quote }}
  coded: {{ .Values.text | b64enc | b64dec | len | quote }}
---
apiVersion: v1
kind: Secret
metadata:
  name: {{ .Release.Name }}
data:
  text: {{ .Values.text | b64enc }}
`
