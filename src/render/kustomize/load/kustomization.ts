import { isRecord, LadingError } from '../../../core/index.ts'
import { parseDocuments } from '../../../core/yaml/index.ts'
import { chartArgs, fromLegacy, helmGlobals, legacyChartArgs } from '../generate/chart-request.ts'
import {
  configMapArgs,
  generatorOptions,
  imageArgs,
  labelArgs,
  patchArgs,
  replacementEntries,
  replicaArgs,
  secretArgs,
  sortOptions,
  varArgs,
} from './arguments.ts'
import { type Decoded, listOf, optional, shape, text, textMap } from './decode.ts'
import type { Loader } from './loader.ts'

const kustomization = shape({
  apiVersion: text,
  kind: text,
  metadata: optional(shape({ name: text, namespace: text, labels: textMap, annotations: textMap })),
  openapi: optional(textMap),
  namePrefix: text,
  nameSuffix: text,
  namespace: text,
  commonLabels: textMap,
  labels: listOf(labelArgs),
  commonAnnotations: textMap,
  patchesStrategicMerge: listOf(text),
  patchesJson6902: listOf(patchArgs),
  patches: listOf(patchArgs),
  images: listOf(imageArgs),
  imageTags: listOf(imageArgs),
  replacements: replacementEntries,
  replicas: listOf(replicaArgs),
  vars: listOf(varArgs),
  sortOptions: optional(sortOptions),
  resources: listOf(text),
  components: listOf(text),
  crds: listOf(text),
  bases: listOf(text),
  configMapGenerator: listOf(configMapArgs),
  secretGenerator: listOf(secretArgs),
  helmGlobals: optional(helmGlobals),
  helmCharts: listOf(chartArgs),
  helmChartInflationGenerator: listOf(legacyChartArgs),
  generatorOptions: optional(generatorOptions),
  configurations: listOf(text),
  generators: listOf(text),
  transformers: listOf(text),
  validators: listOf(text),
  buildMetadata: listOf(text),
})

/** A kustomization file, deprecated fields folded into their successors. */
export type Kustomization = Decoded<typeof kustomization> & { readonly fileName: string }

const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization']

/** Reads the kustomization file of a folder. */
export function loadKustomization(loader: Loader): Kustomization {
  const found = fileNames.filter(
    (name) => loader.settings.tree.resolve(`${loader.root}/${name}`.replace('//', '/'))?.kind === 'file',
  )
  const [fileName, second] = found
  if (fileName === undefined) {
    const problem = `unable to find one of ${fileNames.map((name) => `'${name}'`).join(', ')} in folder ${loader.root}`
    throw new LadingError('file.not-found', problem, { folder: loader.root })
  }
  if (second !== undefined) {
    throw new LadingError(
      'kustomize.invalid',
      `found multiple kustomization files in ${loader.root}: ${found.join(', ')}`,
      { folder: loader.root },
    )
  }
  const file = `${loader.root}/${fileName}`.replace('//', '/')
  const content = parseDocuments(loader.loadText(fileName), { file })[0]?.value
  const decoded = kustomization(content, { file, path: '', strict: true })
  if (isBare(content)) throw new LadingError('kustomize.invalid', `${file} is empty`, { file })
  return { ...fix(decoded, file), fileName }
}

function fix(given: Decoded<typeof kustomization>, file: string): Decoded<typeof kustomization> {
  const kind = given.kind === '' ? 'Kustomization' : given.kind
  const expected = `kustomize.config.k8s.io/${kind === 'Component' ? 'v1alpha1' : 'v1beta1'}`
  const apiVersion = given.apiVersion === '' ? expected : given.apiVersion
  if (kind !== 'Kustomization' && kind !== 'Component') {
    throw new LadingError('kustomize.invalid', `${file}: kind should be Kustomization or Component`, {
      file,
      field: 'kind',
    })
  }
  if (apiVersion !== expected) {
    throw new LadingError('kustomize.invalid', `${file}: apiVersion for ${kind} should be ${expected}`, {
      file,
      field: 'apiVersion',
    })
  }
  return {
    ...given,
    apiVersion,
    kind,
    resources: [...given.resources, ...given.bases],
    images: [...given.images, ...given.imageTags],
    configMapGenerator: given.configMapGenerator.map(withEnvs),
    secretGenerator: given.secretGenerator.map(withEnvs),
    helmCharts: [...given.helmCharts, ...given.helmChartInflationGenerator.map(fromLegacy)],
    helmGlobals: given.helmGlobals ?? legacyGlobals(given.helmChartInflationGenerator),
  }
}

// Each legacy entry may name a home for charts, and the last one has it.
function legacyGlobals(charts: readonly { chartHome: string }[]): { chartHome: string; configHome: string } {
  return { chartHome: charts.findLast(({ chartHome }) => chartHome !== '')?.chartHome ?? '', configHome: '' }
}

function withEnvs<T extends { envs: string[]; env: string }>(args: T): T {
  return args.env === '' ? args : { ...args, envs: [...args.envs, args.env], env: '' }
}

// An empty list is something, nothing behind a field's name is not.
function isBare(content: unknown): boolean {
  if (!isRecord(content)) return true
  const types = new Set(['apiversion', 'kind'])
  return Object.entries(content).every(([key, value]) => types.has(key.toLowerCase()) || value === null || value === '')
}
