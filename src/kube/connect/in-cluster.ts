import { join } from 'node:path'
import type { Connection } from './connection.ts'
import { fileCredentials } from './file-credentials.ts'
import type { Environment } from './load-kubeconfig.ts'
import { proxyFromEnvironment } from './proxy.ts'
import { readReferenced } from './referenced-file.ts'

/** Where kubelets put a pod's service account. */
export const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount'

/** The connection of a pod under its service account; undefined outside of a cluster. */
export async function inClusterConnection(
  env: Environment,
  directory: string,
  headers: Readonly<Record<string, string | string[]>>,
): Promise<{ connection: Connection; namespace: string } | undefined> {
  const host = env['KUBERNETES_SERVICE_HOST']
  const port = env['KUBERNETES_SERVICE_PORT']
  if (host === undefined || host === '' || port === undefined || port === '') return undefined
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  const ca = await readReferenced(join(directory, 'ca.crt'), 'certificate authority')
  const namespace = (await readReferenced(join(directory, 'namespace'), 'namespace file').catch(() => '')).trim()
  const source = fileCredentials({ tokenFile: join(directory, 'token'), fixed: { headers } })
  const proxyUrl = proxyFromEnvironment(server, env)
  const connection = {
    server,
    tls: { ca },
    proxyUrl,
    identity: 'in-cluster',
    ...source,
  }
  return { connection, namespace: namespace === '' ? 'default' : namespace }
}
