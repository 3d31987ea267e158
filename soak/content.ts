import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KubeObject } from '../src/core/index.ts'
import type { ContentKind, Round } from './draw-round.ts'

/** Versions of the release: it goes from the first to the second and back; whoever takes over brings the third. */
export const versions = ['one', 'two', 'three'] as const

/** One of them. */
export type Version = (typeof versions)[number]

/** What a release is made of. */
export interface ContentChoice {
  readonly content: ContentKind
  readonly size: number
}

/** What must never be seen in any output: the value of the Secret in a version. */
export function secretValue(version: Version): string {
  return `hunter2-of-version-${version}-${Buffer.from(version).toString('hex')}`
}

/** Writes the versions of a release as folders of manifests below `folder`, for one namespace. */
export async function writeSources(folder: string, choice: ContentChoice, namespace: string): Promise<void> {
  for (const version of versions) await writeManifests(join(folder, version), objectsOf(choice, version, namespace))
  await writeManifests(join(folder, 'neighbour'), neighbourObjects())
}

async function writeManifests(folder: string, objects: readonly KubeObject[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'all.yaml'), objects.map((object) => JSON.stringify(object)).join('\n---\n'))
}

/** The objects of another release in the same namespace. */
function neighbourObjects(): KubeObject[] {
  return [config('neighbour', 'same'), config('config', 'same')]
}

/** The group of a release's own CRD; CRDs stand in no namespace, so its name holds that of the namespace. */
export function crdGroup(namespace: string): string {
  return `${namespace}.soak.lading.dev`
}

/** How many writes an operation makes, about: enough to draw the moment of a fault from. */
export function expectedWrites({ content, size, driver, operation }: Round): number {
  const own = { configs: 3, workloads: 6, custom: 5 }[content]
  const hooks = content === 'workloads' && operation !== 'drift' ? 4 : 0
  // Lock, record, objects, record, lock; files are no requests. What changes between versions is about half of the objects.
  const objects = operation === 'install' || operation === 'uninstall' ? own + size : Math.ceil(size / 2) + own
  return (operation === 'drift' ? 2 : objects) + hooks + (driver === 'file' ? 2 : 4)
}

function objectsOf({ content, size }: ContentChoice, version: Version, namespace: string): KubeObject[] {
  const configs = [
    ...Array.from({ length: size }, (_, at) => config(`config-${at}`, at % 2 === 0 ? version : 'same')),
    config('staying', 'same'),
    config({ one: 'leaving', two: 'coming', three: 'another' }[version], version),
    secret(version),
  ]
  if (content === 'configs') return configs
  if (content === 'custom') return [crd(namespace), ...customs(version, namespace), ...configs]
  return [
    ...configs,
    hookConfig(),
    hookJob(),
    service(),
    deployment('db', version, '-1'),
    deployment('web', version, '0'),
  ]
}

function config(name: string, value: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } }
}

function secret(version: Version): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'password' },
    stringData: { password: secretValue(version) },
  }
}

function service(): KubeObject {
  const spec = { selector: { app: 'web' }, ports: [{ port: 80, protocol: 'TCP', targetPort: 8080 }] }
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec }
}

function deployment(name: string, version: Version, wave: string): KubeObject {
  const labels = { app: name }
  const containers = [{ name: 'main', image: `registry.example/${name}:${version}` }]
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, annotations: { 'lading.dev/sync-wave': wave } },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  }
}

const phases = 'pre-install,pre-upgrade,pre-rollback,pre-delete'

function hookConfig(): KubeObject {
  const annotations = {
    'helm.sh/hook': phases,
    'helm.sh/hook-weight': '-1',
    'helm.sh/hook-delete-policy': 'hook-succeeded',
  }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'hook-config', annotations } }
}

function hookJob(): KubeObject {
  const annotations = { 'helm.sh/hook': phases, 'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded' }
  const spec = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/migrate:1' }] }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', annotations },
    spec: { backoffLimit: 0, template: { spec } },
  }
}

function crd(namespace: string): KubeObject {
  const group = crdGroup(namespace)
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `shops.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Shop', plural: 'shops', singular: 'shop', listKind: 'ShopList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  }
}

function customs(version: Version, namespace: string): KubeObject[] {
  const apiVersion = `${crdGroup(namespace)}/v1`
  const own = { one: 'corner', two: 'market', three: 'mall' }[version]
  return ['main', own].map((name) => ({ apiVersion, kind: 'Shop', metadata: { name }, spec: { size: version } }))
}
