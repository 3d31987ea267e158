import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeFiles } from '../testing/write-files.ts'
import { parseDocuments } from '../src/core/yaml/index.ts'
import { buildKustomization, type ChartRequest, folderTree } from '../src/render/kustomize/index.ts'
import { peer } from '../testbed/peers.ts'

// A helm that renders nothing: it writes down what kustomize told it, so that our engine's callback can be held to the same.
const fakeHelm = `#!/bin/sh
if [ "$1" = version ]; then echo v4.0.0; exit; fi
namespace=; name=; values=0
echo 'apiVersion: v1'; echo 'kind: ConfigMap'; echo 'data:'
shift
case "$1" in --generate-name) ;; *) echo "  release: '$1'";; esac
shift; shift
while [ $# -gt 0 ]; do
  case "$1" in
  --namespace) namespace=$2; shift;;
  -f) echo "  values$values: |"; sed 's/^/    /' "$2"; echo; values=$((values+1)); shift;;
  --name-template|--kube-version) echo "  '$1': '$2'"; shift;;
  --api-versions) echo "  'api $2': seen"; shift;;
  *) echo "  '$1': seen";;
  esac
  shift
done
echo 'metadata:'; echo '  name: made'; echo "  namespace: '$namespace'"
`

function fakeInflate(chart: ChartRequest): string {
  const data: Record<string, string> = {}
  if (chart.releaseName !== '') data['release'] = chart.releaseName
  if (chart.nameTemplate !== '') data['--name-template'] = chart.nameTemplate
  if (chart.kubeVersion !== '') data['--kube-version'] = chart.kubeVersion
  for (const version of chart.apiVersions) data[`api ${version}`] = 'seen'
  const flags = {
    '--include-crds': chart.includeCRDs,
    '--skip-tests': chart.skipTests,
    '--no-hooks': chart.skipHooks,
    '--debug': chart.debug,
    '--devel': chart.devel,
  }
  for (const [flag, isSet] of Object.entries(flags)) if (isSet) data[flag] = 'seen'
  for (const [index, text] of chart.values.entries()) data[`values${index}`] = text
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made', namespace: chart.namespace }, data }
  return JSON.stringify(object)
}

const inline = { a: { b: 2, gone: null }, list: [{ name: 'x', v: 2 }], text: 'yes', deep: { new: { er: true } } }
const entry = { name: 'web', releaseName: 'r' }
const kustomizations: Record<string, object> = {
  plain: { helmCharts: [entry] },
  override: { helmCharts: [{ ...entry, valuesInline: inline }] },
  merge: { helmCharts: [{ ...entry, valuesInline: inline, valuesMerge: 'merge' }] },
  replace: { helmCharts: [{ ...entry, valuesInline: inline, valuesMerge: 'replace' }] },
  files: {
    helmCharts: [{ ...entry, valuesFile: 'v.yaml', additionalValuesFiles: ['w.yaml'], valuesInline: { q: 1 } }],
  },
  flags: {
    namespace: 'prod',
    namePrefix: 'p-',
    helmCharts: [
      {
        ...entry,
        includeCRDs: true,
        skipHooks: true,
        skipTests: true,
        apiVersions: ['a/v1', 'b/v2'],
        kubeVersion: '1.30',
        nameTemplate: 'n',
        devel: true,
      },
    ],
  },
  own: { namespace: 'prod', helmCharts: [{ ...entry, namespace: 'own' }] },
  version: { helmCharts: [{ ...entry, version: '1.2.3', repo: 'https://charts.example.com' }] },
  legacy: { helmChartInflationGenerator: [{ chartName: 'web', releaseName: 'old', valuesLocal: inline }] },
  generator: {
    namespace: 'prod',
    generators: [
      `{apiVersion: builtin, kind: HelmChartInflationGenerator, metadata: {name: g}, name: web, releaseName: r}`,
    ],
  },
  top: { namespace: 'above', resources: ['./middle'] },
}

let root = ''

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'lading-kustomize-helm-'))
  await writeFile(join(root, 'helm'), fakeHelm, { mode: 0o755 })
  const values = 'a: {b: 1, c: 1, gone: 5}\nlist: [{name: x, v: 1, w: 1}, {name: y}]\ntext: "no"\nnumber: 1.50\n'
  for (const [name, kustomization] of Object.entries(kustomizations)) {
    await write(`${name}/kustomization.yaml`, JSON.stringify(kustomization))
    await write(`${name}/charts/web/values.yaml`, values)
    await write(`${name}/charts/web-1.2.3/web/values.yaml`, 'pulled: true\n')
    await write(`${name}/v.yaml`, 'from: v\n')
    await write(`${name}/w.yaml`, 'from: w\n')
  }
  await write('top/middle/kustomization.yaml', 'resources: [base]\n')
  await write('top/middle/base/kustomization.yaml', 'helmCharts: [{name: web}]\n')
  await write('top/middle/base/charts/web/values.yaml', values)
})

afterAll(async () => rm(root, { recursive: true, force: true }))

test.each(Object.keys(kustomizations))('the chart of %s is asked for as kustomize asks helm', async (name) => {
  const { path } = await peer('kustomize')
  const command = ['build', name, '--enable-helm', '--helm-command', join(root, 'helm')]
  const { stdout } = await promisify(execFile)(path, command, { cwd: root })
  const theirs = parseDocuments(stdout).map(({ value }) => value)
  const ours = buildKustomization(folderTree(root), name, { enableHelm: true, inflateChart: fakeInflate })
  expect(ours.map(readable)).toEqual(theirs.map(readable))
})

/** An object with its texts of values read, as the two write YAML each in their own way. */
function readable(object: unknown): unknown {
  const { data, ...rest } = object as { data: Record<string, string> }
  const read = Object.entries(data).map(([key, text]) => [
    key,
    key.startsWith('values') ? parseDocuments(text)[0]?.value : text,
  ])
  return { ...rest, data: Object.fromEntries(read) as unknown }
}

async function write(path: string, text: string): Promise<void> {
  await writeFiles(root, { [path]: text })
}
