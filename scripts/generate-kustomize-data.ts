// Writes src/render/kustomize/data/*.json from the Go modules of the kustomize that the testbed builds (testbed/modules/kustomize):
// `node scripts/generate-kustomize-data.ts`. A rerun gives no diff; `--check` says whether it would.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { kustomizeFieldSpecs } from './kustomize-field-specs.ts'
import { kustomizeMergeKeys, type OpenApiSchema } from './kustomize-merge-keys.ts'

interface Bundle {
  readonly definitions: Readonly<Record<string, OpenApiSchema>>
  readonly resources: readonly { readonly apiVersion: string; readonly kind: string; readonly scope?: string }[]
}

const goModule = fileURLToPath(new URL('../testbed/modules/kustomize', import.meta.url))
const target = fileURLToPath(new URL('../src/render/kustomize/data', import.meta.url))
const api = moduleFolder('sigs.k8s.io/kustomize/api')
const kyaml = moduleFolder('sigs.k8s.io/kustomize/kyaml')

const bundleFolder = join(kyaml, 'openapi/kubernetesapi/data')
const [bundleFile = ''] = readdirSync(bundleFolder)
const bundle = JSON.parse(gunzipSync(readFileSync(join(bundleFolder, bundleFile))).toString()) as Bundle
const own = JSON.parse(readFileSync(join(kyaml, 'openapi/kustomizationapi/swagger.json'), 'utf8')) as Bundle
const constants = join(api, 'internal/konfig/builtinpluginconsts')
const goSources = readdirSync(constants).map((file) => readFileSync(join(constants, file), 'utf8'))

const files: Readonly<Record<string, unknown>> = {
  'cluster-scoped.json': clusterScoped(readFileSync(join(kyaml, 'openapi/openapi.go'), 'utf8'), bundle),
  'field-specs.json': kustomizeFieldSpecs(goSources),
  'merge-keys.json': kustomizeMergeKeys({ ...bundle.definitions, ...own.definitions }),
}
for (const [name, content] of Object.entries(files)) {
  // One line a file for the large one: nobody reads it, and each build does.
  const text = `${JSON.stringify(content, undefined, name === 'merge-keys.json' ? undefined : 1)}\n`
  const file = join(target, name)
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${name} is not what the modules say: run scripts/generate-kustomize-data.ts`)
    process.exitCode = 1
  }
}

function moduleFolder(name: string): string {
  return execFileSync('go', ['list', '-m', '-f', '{{.Dir}}', name], { cwd: goModule, encoding: 'utf8' }).trim()
}

// A table in Go's source comes first, for kinds that it does not name the bundle decides.
function clusterScoped(source: string, { resources }: Bundle): Record<string, string[]> {
  const scopes = new Map<string, boolean>()
  for (const { apiVersion, kind, scope } of resources) {
    if (scope !== undefined) scopes.set(`${apiVersion} ${kind}`, /^cluster$/i.test(scope))
  }
  for (const [, apiVersion, kind, isNamespaced] of source.matchAll(
    /\{APIVersion: "([^"]+)", Kind: "([^"]+)"\}:\s+(true|false)/g,
  )) {
    scopes.set(`${apiVersion} ${kind}`, isNamespaced === 'false')
  }
  const table: Record<string, string[]> = {}
  for (const key of [...scopes.keys()].filter((each) => scopes.get(each) === true).sort()) {
    const [apiVersion = '', kind = ''] = key.split(' ')
    ;(table[apiVersion] ??= []).push(kind)
  }
  return table
}
