import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeFiles } from '../../../testing/write-files.ts'
import { noNpmClients, npmClients } from '../../../testbed/npm-clients.ts'
import { buildKustomization, folderTree, renderYaml } from '../kustomize/index.ts'
import { inflateRequest } from './index.ts'

const entry = { name: 'web', releaseName: 'shop' }
const kustomizations: Readonly<Record<string, object>> = {
  plain: { helmCharts: [entry] },
  values: {
    // No namespace: this kubectl's kustomize 5.7 still moved what a chart gave, 5.8 and Lading leave it where it is.
    namePrefix: 'my-',
    helmCharts: [
      {
        ...entry,
        valuesFile: 'v.yaml',
        additionalValuesFiles: ['w.yaml'],
        valuesInline: { colour: 'red', n: 1000000 },
      },
    ],
  },
  flags: {
    helmCharts: [
      { ...entry, includeCRDs: true, skipTests: true, kubeVersion: '1.30.0', apiVersions: ['a.example/v1'] },
    ],
  },
  'without-hooks': { helmCharts: [{ name: 'web', skipHooks: true, namespace: 'own', nameTemplate: 'named' }] },
  patched: {
    helmCharts: [entry],
    labels: [{ pairs: { team: 'a' } }],
    patches: [{ target: { kind: 'ConfigMap' }, patch: '[{"op": "add", "path": "/data/more", "value": "x"}]' }],
  },
}

const chart: Readonly<Record<string, string>> = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'values.yaml': 'colour: blue\nn: 1\nlist: [a, b]\n',
  '.helmignore': 'templates/ignored.yaml\n',
  'templates/ignored.yaml': 'not: {{ rendered',
  'crds/thing.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.x.example}\nspec: {group: x.example}\n',
  'templates/map.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-map, namespace: {{ .Release.Namespace }}}
data:
  colour: {{ .Values.colour }}
  n: {{ .Values.n | quote }}
  list: {{ .Values.list | join "," }}
  version: {{ .Capabilities.KubeVersion.Version }} {{ .Capabilities.APIVersions.Has "a.example/v1" }}
---
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {helm.sh/hook: pre-install}}
spec: {template: {spec: {containers: [{name: a, image: a}]}}}
`,
  'templates/tests/check.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: {name: check, annotations: {helm.sh/hook: test}}\nspec: {containers: []}\n',
}

const reason = noNpmClients === undefined ? '' : ` (${noNpmClients})`

describe('a chart of a kustomization, inflated', () => {
  let root = ''

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'lading-inflate-'))
    for (const [name, kustomization] of Object.entries(kustomizations)) {
      const files = {
        'kustomization.yaml': JSON.stringify(kustomization),
        'v.yaml': 'n: 5\nlist: [v]\n',
        'w.yaml': 'list: [w]\n',
      }
      for (const [file, text] of Object.entries(files)) await write(`${name}/${file}`, text)
      for (const [file, text] of Object.entries(chart)) await write(`${name}/charts/web/${file}`, text)
    }
  })

  afterAll(() => rm(root, { recursive: true, force: true }))

  it.skipIf(noNpmClients !== undefined).for(Object.keys(kustomizations))(
    `as kubectl and helm do it: %s${reason}`,
    async (name) => {
      const { kubectl, helm } = (await npmClients())!
      // This kubectl asks `helm version -c`, a flag that helm 4 no longer has; all else is helm's own answer.
      const script = `#!/bin/sh\n[ "$1" = version ] && echo v3.19.0 || exec '${helm}' "$@"\n`
      await writeFile(join(root, 'helm'), script, { mode: 0o755 })
      const command = ['kustomize', name, '--enable-helm', '--helm-command', join(root, 'helm')]
      const { stdout } = await promisify(execFile)(kubectl, command, { cwd: root, env: { HOME: root } })
      expect(renderYaml(build(name))).toBe(stdout)
    },
  )

  it('has the chart’s name where no release is named, so that a build gives the same each time', async () => {
    await write('nameless/kustomization.yaml', 'helmCharts: [{name: web}]\n')
    for (const [file, text] of Object.entries(chart)) await write(`nameless/charts/web/${file}`, text)
    expect(build('nameless').map(({ metadata }) => metadata.name)).toContain('web-map')
    await write('nameless/kustomization.yaml', 'helmCharts: [{name: web, nameTemplate: "{{ randAlpha 3 }}"}]\n')
    expect(() => build('nameless')).toThrow(/write the name out/)
    await write('nameless/kustomization.yaml', 'helmCharts: [{name: web, releaseName: a, nameTemplate: b}]\n')
    expect(() => build('nameless')).toThrow(/either releaseName or nameTemplate/)
  })

  it('is refused with the sentence of the template that fails', async () => {
    await write('broken/kustomization.yaml', 'helmCharts: [{name: web}]\n')
    await write('broken/charts/web/Chart.yaml', chart['Chart.yaml']!)
    await write('broken/charts/web/values.yaml', '')
    await write('broken/charts/web/templates/a.yaml', '{{ fail "no colour" }}')
    expect(() => build('broken')).toThrow(/no colour/)
  })

  function build(name: string) {
    return buildKustomization(folderTree(root), name, { enableHelm: true, inflateChart: inflateRequest })
  }

  async function write(path: string, text: string): Promise<void> {
    await writeFiles(root, { [path]: text })
  }
})
