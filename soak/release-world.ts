import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { context } from '../src/core/index.ts'
import { createObject, deleteObject } from '../src/kube/index.ts'
import { createStore, type ReleaseStore } from '../src/release/index.ts'
import type { SoakCluster } from './clusters.ts'
import { crdGroup, type Version, writeSources } from './content.ts'
import type { Driver, Operation, Round } from './draw-round.ts'
import { type Outcome, runInline } from './run-lading.ts'

const ctx = context()

/** A namespace with a folder, in which commands on one release are run. */
export interface ReleaseWorld {
  readonly namespace: string
  readonly folder: string
  readonly storePath: string
  readonly store: ReleaseStore
  /** The words of a command, with where and how the release is kept. */
  argv(words: readonly string[], kubeconfig?: string): string[]
  /** Runs a command in this process, without any fault. */
  run(...words: string[]): Promise<Outcome>
  /** The same, and throws unless it ends well. */
  must(...words: string[]): Promise<void>
  close(): Promise<void>
}

/** What a world is made for. */
export type WorldChoice = Pick<Round, 'driver' | 'content' | 'size'>

/** Makes the namespace, the folder and the sources. */
export async function openWorld(target: SoakCluster, choice: WorldChoice, name: string): Promise<ReleaseWorld> {
  const { cluster, kubeconfig } = target
  const namespace = `${target.prefix}-${name}`
  const folder = await mkdtemp(join(tmpdir(), 'lading-soak-'))
  const storePath = join(folder, 'store')
  await mkdir(storePath)
  await writeSources(folder, choice, namespace)
  await createObject(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, {}, ctx)
  const { driver } = choice
  const argv = (words: readonly string[], config = kubeconfig): string[] => [
    ...words,
    '-n',
    namespace,
    '--kubeconfig',
    config,
    ...storageFlags(driver, storePath),
  ]
  const run = (...words: string[]): Promise<Outcome> => runInline(argv(words), folder)
  return {
    namespace,
    folder,
    storePath,
    store: createStore({ driver, ...(driver === 'file' ? { path: storePath } : {}) }, cluster),
    argv,
    run,
    async must(...words) {
      const { code, stderr } = await run(...words)
      if (code !== 0) throw new Error(`\`lading ${words.join(' ')}\` ended with ${code}: ${stderr.slice(-600)}`)
    },
    async close() {
      const crd = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
      await deleteObject(cluster, { ...crd, name: `shops.${crdGroup(namespace)}` }, { wait: false }, ctx)
      const ref = { group: '', version: 'v1', kind: 'Namespace', name: namespace }
      await deleteObject(cluster, ref, { wait: false }, ctx)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function storageFlags(driver: Driver, path: string): string[] {
  return ['--storage', driver, ...(driver === 'file' ? ['--storage-path', path] : [])]
}

/** The words of the operation that the fault strikes. */
export function operationWords(operation: Operation): string[] {
  switch (operation) {
    case 'install':
      return ['install', 'shop', 'one']
    case 'upgrade':
      return ['upgrade', 'shop', 'two']
    case 'rollback':
      return ['rollback', 'shop', '1']
    case 'uninstall':
      return ['uninstall', 'shop']
    case 'drift':
      return ['drift', 'shop', '--correct']
    case 'apply':
      return ['apply', 'plan.json']
  }
}

/** An ordinary upgrade; whoever meets a field that somebody else changed has to say that it is to be taken back. */
export function upgradeWords({ operation }: Pick<Round, 'operation'>, version: Version): string[] {
  return ['upgrade', 'shop', version, '--install', ...(operation === 'drift' ? ['--force-conflicts'] : [])]
}

/** The version that stands after an operation. */
export const outcomes: Readonly<Record<Operation, Version | undefined>> = {
  install: 'one',
  upgrade: 'two',
  rollback: 'one',
  uninstall: undefined,
  drift: 'one',
  apply: 'two',
}

/** Writes a kubeconfig that leads to the proxy, with a token of its own in a file. */
export async function writeProxyConfig(folder: string, url: string, token: string): Promise<string> {
  await writeToken(folder, token)
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'soak',
    clusters: [{ name: 'soak', cluster: { server: url } }],
    users: [{ name: 'soak', user: { tokenFile: join(folder, 'token') } }],
    contexts: [{ name: 'soak', context: { cluster: 'soak', user: 'soak' } }],
  }
  const path = join(folder, 'kubeconfig')
  await writeFile(path, JSON.stringify(config), { mode: 0o600 })
  return path
}

/** Gives the client a token. */
export async function writeToken(folder: string, token: string): Promise<void> {
  await writeFile(join(folder, 'token'), token, { mode: 0o600 })
}
