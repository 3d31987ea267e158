import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Writes a kubeconfig of one cluster, user and context into a folder. */
export function kubeconfig(dir: string, name: string, clusterFields: object, user: object = {}): Promise<string> {
  return write(dir, name, document(clusterFields, user))
}

/** Writes a file of a folder, as JSON. */
export async function write(dir: string, name: string, value: object): Promise<string> {
  const file = join(dir, name)
  await mkdir(dirname(file), { recursive: true })
  // A broken document keeps enough of a good one to be read up to its fault.
  await writeFile(file, JSON.stringify({ ...value }))
  return file
}

/** A kubeconfig of one cluster, user and context. */
export function document(clusterFields: object, user: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: { server: 'https://kube', ...clusterFields } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  }
}
