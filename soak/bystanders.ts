import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { context, type KubeObject } from '../src/core/index.ts'
import { createObject } from '../src/kube/index.ts'
import type { SoakCluster } from './clusters.ts'
import { readObjects } from './read-state.ts'

const ctx = context()

/** What belongs to others, and must be the very same afterwards. */
export interface Bystanders {
  readonly ids: ReadonlySet<string>
  /** What was done to them, a sentence each. */
  check(): Promise<string[]>
}

/** Plants objects of others, some with names like those of the release, some with the marks of another one. */
export async function plantBystanders(
  { cluster }: SoakCluster,
  namespace: string,
  storePath: string,
): Promise<Bystanders> {
  const others = { 'lading.dev/release-name': 'shop-2', 'lading.dev/release-namespace': namespace }
  const elsewhere = { 'lading.dev/release-name': 'shop', 'lading.dev/release-namespace': `${namespace}-2` }
  const helms = { 'meta.helm.sh/release-name': 'shopper', 'meta.helm.sh/release-namespace': namespace }
  const planted: KubeObject[] = [
    planter('ConfigMap', 'config-00', {}),
    planter('ConfigMap', 'staying-not', {}),
    planter('ConfigMap', 'shop', others),
    planter('ConfigMap', 'shop-elsewhere', elsewhere),
    planter('Secret', 'password-2', helms),
    planter('Secret', 'shop.v1', {}),
    { ...planter('Lease', 'lading.shop-2', others), apiVersion: 'coordination.k8s.io/v1' },
  ]
  await Promise.all(planted.map((object) => createObject(cluster, inNamespace(object, namespace), {}, ctx)))
  const file = join(storePath, namespace, 'shop-2', 'v1.yaml')
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, 'not ours\n')
  // The release is not there yet: all that is there belongs to others.
  const ids = new Set((await readObjects(cluster, namespace)).keys())
  const before = await versionsOf(cluster, namespace, ids)
  const files = await filesOf(storePath)
  return {
    ids,
    async check() {
      const after = await versionsOf(cluster, namespace, ids)
      return [...changesOf(before, after), ...changesOf(files, await filesOf(storePath))]
    },
  }
}

function changesOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...before].flatMap(([id, version]) =>
    after.get(id) === version ? [] : [`${id} of somebody else was ${after.has(id) ? 'changed' : 'deleted'}`],
  )
}

async function filesOf(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const contents = paths.map(async (path) => [path, await readFile(path, 'base64')] as const)
  return new Map(await Promise.all(contents))
}

async function versionsOf(
  cluster: SoakCluster['cluster'],
  namespace: string,
  ids: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const objects = await readObjects(cluster, namespace)
  return new Map(
    [...objects].flatMap(([id, { metadata }]) =>
      ids.has(id) ? [[id, `${metadata.uid}/${metadata.resourceVersion}`] as const] : [],
    ),
  )
}

function planter(kind: string, name: string, annotations: Record<string, string>): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, annotations } }
}

function inNamespace(object: KubeObject, namespace: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, namespace } }
}

/** Files of the release that nobody reads: drafts, and everything after an uninstall but for what says that a revision was deleted. */
export async function leftoverFiles(storePath: string, namespace: string, isGone: boolean): Promise<string[]> {
  const folder = join(storePath, namespace, 'shop')
  const names = await readdir(folder).catch((): string[] => [])
  const left: string[] = []
  for (const name of names) {
    const isDraft = !/^\.?v\d+(?:\.\d+)?\.yaml$/.test(name)
    const isTombstone = (await readFile(join(folder, name))).length === 0
    if (isDraft || (isGone && !isTombstone)) left.push(`the file ${name} is left over`)
  }
  return left
}
