import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../../testbed/npm-clients.ts'
import type { LintMessage } from '../../../render/helm/index.ts'
import { chartOf } from '../../../../testing/chart-server.ts'
import { execHelm } from '../../testdata/exec-helm.ts'
import { runCli } from '../../testdata/run-cli.ts'

const good = 'apiVersion: v2\nname: app\nversion: 1.0.0\nicon: https://example.com/i.png\n'
const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'
const base = { 'Chart.yaml': good, 'values.yaml': '', 'templates/a.yaml': config }

type Files = Readonly<Record<string, string>>

/** Charts, each with a mistake or none. */
const charts: Readonly<Record<string, Files>> = {
  good: base,
  'no-icon': { ...base, 'Chart.yaml': good.replace(/icon.*\n/, '') },
  'bad-icon': { ...base, 'Chart.yaml': good.replace('https://example.com/i.png', 'example') },
  'no-values': { 'Chart.yaml': good, 'templates/a.yaml': config },
  'no-templates': { 'Chart.yaml': good, 'values.yaml': '' },
  'templates-file': { 'Chart.yaml': good, 'values.yaml': '', templates: 'x' },
  'no-name': { ...base, 'Chart.yaml': good.replace('name: app', 'description: x') },
  'slash-name': { ...base, 'Chart.yaml': good.replace('name: app', 'name: a/b') },
  'no-api-version': { ...base, 'Chart.yaml': good.replace('apiVersion: v2\n', '') },
  'bad-api-version': { ...base, 'Chart.yaml': good.replace('apiVersion: v2', 'apiVersion: v9') },
  'no-version': { ...base, 'Chart.yaml': good.replace('version: 1.0.0\n', '') },
  'bad-version': { ...base, 'Chart.yaml': good.replace('1.0.0', 'one') },
  'zero-version': { ...base, 'Chart.yaml': good.replace('1.0.0', '0.0.0-0') },
  'short-version': { ...base, 'Chart.yaml': good.replace('1.0.0', '"1.0"') },
  'number-version': { ...base, 'Chart.yaml': good.replace('1.0.0', '1.0') },
  'number-app-version': { ...base, 'Chart.yaml': `${good}appVersion: 1.5\n` },
  'unknown-field': { ...base, 'Chart.yaml': `${good}colour: red\n` },
  'chart-syntax': { ...base, 'Chart.yaml': 'a: [' },
  maintainers: { ...base, 'Chart.yaml': `${good}maintainers: [{email: me@example.com}]\n` },
  'maintainer-mail': { ...base, 'Chart.yaml': `${good}maintainers: [{name: me, email: me.example}]\n` },
  'maintainer-url': { ...base, 'Chart.yaml': `${good}maintainers: [{name: me, url: "not an url"}]\n` },
  'maintainer-good': {
    ...base,
    'Chart.yaml': `${good}maintainers: [{name: me, email: a.b+c@x.example.com, url: example.com/me}]\n`,
  },
  sources: { ...base, 'Chart.yaml': `${good}sources: [github.com/x]\n` },
  'v1-type': { ...base, 'Chart.yaml': `${good.replace('v2', 'v1')}type: application\n` },
  'v1-dependencies': {
    ...base,
    'Chart.yaml': `${good.replace('v2', 'v1')}dependencies: [{name: a, version: 1.0.0}]\n`,
  },
  'bad-values': { ...base, 'values.yaml': 'a: [' },
  schema: { ...base, 'values.yaml': 'a: x\n', 'values.schema.json': '{"properties":{"a":{"type":"integer"}}}' },
  'template-syntax': { ...base, 'templates/b.yaml': '{{ .Values.a' },
  'template-fails': { ...base, 'templates/b.yaml': '{{ .Values.a.b.c }}' },
  'required-and-fail': { ...base, 'templates/b.yaml': 'a: {{ required "x" .Values.a }}{{ fail "y" }}\n' },
  extension: { ...base, 'templates/b.json': '{}', 'templates/c': 'x' },
  indent: { ...base, 'templates/b.yaml': `  # x\n${config}` },
  'yaml-syntax': {
    ...base,
    'templates/b.yaml': 'a: [\n',
    'templates/c.yaml': 'kind: Deployment\nmetadata: {name: B}\n',
  },
  'not-an-object': { ...base, 'templates/b.yaml': '- a\n' },
  'number-name': { ...base, 'templates/b.yaml': 'kind: ConfigMap\nmetadata: {name: 1}\n' },
  names: {
    ...base,
    'templates/b.yaml': [
      'Service',
      'Namespace',
      'ConfigMap',
      'Role',
      'ServiceAccount',
      'CertificateSigningRequest',
      'Deployment',
    ]
      .flatMap((kind) =>
        ['a', '1a', 'a.b', 'A', 'a_b', 'a:b', '', 'a/b'].map(
          (name) => `apiVersion: v1\nkind: ${kind}\nmetadata: {name: "${name}"}\nspec: {selector: {matchLabels: {}}}\n`,
        ),
      )
      .join('---\n'),
  },
  selector: { ...base, 'templates/b.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n' },
  list: {
    ...base,
    'templates/b.yaml':
      'apiVersion: v1\nkind: List\nmetadata: {name: a}\nitems: [{metadata: {annotations: {helm.sh/resource-policy: keep}}}]\n',
  },
  deprecated: {
    ...base,
    'templates/b.yaml': [
      ['networking.k8s.io/v1beta1', 'Ingress'],
      ['policy/v1beta1', 'PodDisruptionBudget'],
      ['batch/v1', 'CronJob'],
      ['v1', 'Endpoints'],
      ['example.com/v1', 'Thing'],
    ]
      .map(([apiVersion, kind]) => `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\n`)
      .join('---\n'),
  },
  'missing-dependency': { ...base, 'Chart.yaml': `${good}dependencies: [{name: gone, version: 1.0.0}]\n` },
  'unknown-dependency': { ...base, 'charts/sub/Chart.yaml': good.replace('app', 'sub') },
  'double-dependency': {
    ...base,
    'Chart.yaml': `${good}dependencies: [{name: a, version: 1.0.0}, {name: a, version: 1.0.0}]\n`,
  },
  'bad-subchart': { ...base, 'charts/sub/Chart.yaml': 'apiVersion: v2\n' },
  crds: {
    ...base,
    'crds/a.yaml': config,
    'crds/b.yaml': 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\n',
  },
  'crds-template': { ...base, 'crds/a.yaml': '{{ if true }}\na: b\n{{ end }}\n' },
  'crds-file': { ...base, crds: 'x' },
}

let cwd = ''
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'lading-lint-'))
  for (const [chart, files] of Object.entries(charts)) {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(cwd, chart, name)), { recursive: true })
      await writeFile(join(cwd, chart, name), text)
    }
  }
})
afterAll(() => rm(cwd, { recursive: true }))

const lading = (command: string) => runCli({ cwd, env: { HOME: cwd } }, ...command.split(' '))

async function findings(chart: string): Promise<{ code: number; places: string[] }> {
  const { code, stdout } = await lading(`lint ${chart} -o json`)
  const [result] = JSON.parse(stdout) as [{ messages: LintMessage[] }]
  return { code, places: result.messages.map(({ severity, path }) => `${severity} ${path.replace(cwd, '')}`) }
}

it.runIf(noNpmClients === undefined)('every mistake is found where the real helm finds it, and is as bad', async () => {
  const { helm } = (await npmClients())!
  const ours: Record<string, string[]> = {}
  const theirs: Record<string, string[]> = {}
  const names = Object.keys(charts)
  const { stdout } = await execHelm(helm, cwd, 'lint', ...names)
  for (const section of stdout.split(/^==> Linting /m).slice(1)) {
    const lines = section.matchAll(/^\[(INFO|WARNING|ERROR)\] ([^:]*): /gm)
    const places = [...lines].map(
      ([, severity = '', path = '']) => `${severity.toLowerCase()} ${path.replace(cwd, '')}`,
    )
    theirs[section.slice(0, section.indexOf('\n'))] = places
  }
  for (const chart of names) {
    const { code, places } = await findings(chart)
    ours[chart] = places
    expect([chart, code !== 0]).toEqual([chart, places.some((place) => place.startsWith('error'))])
  }
  expect(ours).toEqual(theirs)
})

it.runIf(noNpmClients === undefined)('--with-subcharts looks at the charts that helm looks at', async () => {
  const { helm } = (await npmClients())!
  const { fileName, archive } = chartOf('cart', '1.0.0')
  await mkdir(join(cwd, 'unknown-dependency/charts/sub/charts'), { recursive: true })
  await writeFile(join(cwd, 'unknown-dependency/charts/sub/charts', fileName), archive)
  const { stdout } = await execHelm(helm, cwd, 'lint', '--with-subcharts', 'good', 'unknown-dependency', 'bad-subchart')
  const ours = await lading('lint --with-subcharts good unknown-dependency bad-subchart')
  const headings = (text: string) => [...text.matchAll(/^==> (?:Linting )?(.*)$/gm)].map(([, path]) => path)
  expect(headings(ours.stdout)).toEqual(headings(stdout))
  expect(headings(ours.stdout)).toHaveLength(6)
  expect(ours.stderr).toContain('of 6 charts failed')
  await rm(join(cwd, 'unknown-dependency/charts/sub/charts'), { recursive: true })
})

it('warnings fail with --strict only, an error always', async () => {
  expect(await lading('lint good --strict')).toMatchObject({ code: 0, stdout: '==> good\n' })
  expect(await lading('lint deprecated')).toMatchObject({ code: 0 })
  expect(await lading('lint deprecated --strict')).toMatchObject({ code: 3 })
  expect(await lading('lint good selector')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('1 of 2 charts failed: selector'),
  })
  expect((await lading('lint no-icon selector --quiet')).stdout).toMatch(/^==> selector\n\[ERROR\] templates/)
})

it('deprecation depends on the version of Kubernetes, and the schema on the values that are given', async () => {
  expect((await lading('lint deprecated --kube-version 1.18')).stdout).not.toContain('deprecated in')
  expect((await lading('lint deprecated')).stdout).toContain(
    'networking.k8s.io/v1beta1 Ingress is deprecated in v1.19+, unavailable in v1.22+; use networking.k8s.io/v1 Ingress',
  )
  expect(await lading('lint schema --set a=1')).toMatchObject({ code: 0 })
  expect(await lading('lint schema --skip-schema-validation')).toMatchObject({ code: 0 })
})

it('an archive is looked at as its folder is; what is no chart is refused', async () => {
  const { fileName, archive } = chartOf('cart', '1.0.0')
  await writeFile(join(cwd, fileName), archive)
  expect(await lading(`lint ${fileName} --strict`)).toMatchObject({ code: 0 })
  expect(await lading('lint none')).toMatchObject({ code: 3 })
})

it('a mistake in an annotation of a release is told with the template that has it', async () => {
  const metadata = 'metadata: {name: a, annotations: {lading.dev/sync-wave: first, lading.dev/skip-wait: "yes"}}'
  for (const [name, text] of Object.entries({
    ...base,
    'templates/a.yaml': `apiVersion: v1\nkind: ConfigMap\n${metadata}\n`,
  })) {
    await mkdir(dirname(join(cwd, 'annotated', name)), { recursive: true })
    await writeFile(join(cwd, 'annotated', name), text)
  }
  const { code, stdout } = await lading('lint annotated')
  expect({ code, stdout }).toEqual({
    code: 3,
    stdout:
      '==> annotated\n' +
      '[ERROR] templates/a.yaml: ConfigMap a: annotation lading.dev/sync-wave: first is no whole number, such as -1 or 5\n' +
      '[ERROR] templates/a.yaml: ConfigMap a: annotation lading.dev/skip-wait: yes is not known; it can be true or false\n',
  })
})
