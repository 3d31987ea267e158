import { generateKeyPairSync } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../src/core/index.ts'
import { type ApiClient, apiClient } from './api-client.ts'
import { ensureTool } from './build.ts'
import { freePorts } from './free-ports.ts'
import type { ManagedProcess, Processes } from './processes.ts'
import { grantRights, newTokens, type UserName, writeKubeconfig, writeTokenFile } from './users.ts'
import { waitUntil } from './wait-until.ts'

/** A kube-apiserver on etcd, and who may log in. */
export interface ControlPlane {
  readonly server: string
  readonly kubeconfig: string
  /** Certificate authority of the API server, PEM. */
  readonly ca: string
  /** Folder with the API server's own serving certificate and key. */
  readonly certificates: string
  readonly tokens: Readonly<Record<UserName, string>>
  readonly serviceAccountKey: string
  readonly api: ApiClient
}

/** Starts etcd and kube-apiserver, waits until they are ready and gives the users their rights. */
export async function startControlPlane(processes: Processes, ctx: Context): Promise<ControlPlane> {
  const etcdPath = await ensureTool('etcd', ctx)
  const apiserverPath = await ensureTool('kube-apiserver', ctx)
  const [clientPort = 0, peerPort = 0, securePort = 0] = await freePorts(3)
  const at = (name: string): string => join(processes.folder, name)
  const tokens = newTokens()
  await mkdir(at('certificates'))
  await writeTokenFile(at('tokens.csv'), tokens)
  await writeServiceAccountKey(at('service-account.key'))

  const etcd = await startEtcd(processes, etcdPath, at('etcd'), clientPort, peerPort)
  const apiserver = await processes.start({
    name: 'kube-apiserver',
    command: apiserverPath,
    args: [
      `--etcd-servers=http://127.0.0.1:${clientPort}`,
      `--cert-dir=${at('certificates')}`,
      `--secure-port=${securePort}`,
      '--bind-address=127.0.0.1',
      // The address that Pods would find the API server at; a loopback address may not become an Endpoints object.
      '--advertise-address=127.0.0.1',
      '--endpoint-reconciler-type=none',
      '--kubelet-preferred-address-types=InternalIP',
      `--service-account-key-file=${at('service-account.key')}`,
      `--service-account-signing-key-file=${at('service-account.key')}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--token-auth-file=${at('tokens.csv')}`,
      '--authorization-mode=RBAC',
      '--enable-priority-and-fairness=true',
      '--service-cluster-ip-range=10.0.0.0/16',
      '--allow-privileged=true',
      '--profiling=false',
    ],
  })
  const server = `https://127.0.0.1:${securePort}`
  const ca = await waitForApiServer(server, at('certificates/apiserver.crt'), tokens.admin, [etcd, apiserver], ctx)
  const api = apiClient(server, ca, tokens.admin)
  await grantRights(api)
  await writeKubeconfig(at('kubeconfig'), server, ca, tokens)
  return {
    server,
    kubeconfig: at('kubeconfig'),
    ca,
    certificates: at('certificates'),
    tokens,
    serviceAccountKey: at('service-account.key'),
    api,
  }
}

function startEtcd(
  processes: Processes,
  command: string,
  folder: string,
  clientPort: number,
  peerPort: number,
): Promise<ManagedProcess> {
  return processes.start({
    name: 'etcd',
    command,
    args: [
      `--data-dir=${folder}`,
      `--listen-client-urls=http://127.0.0.1:${clientPort}`,
      `--advertise-client-urls=http://127.0.0.1:${clientPort}`,
      `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
      `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`,
      `--initial-cluster=default=http://127.0.0.1:${peerPort}`,
      // The data lives no longer than the processes, so there is nothing to keep safe.
      '--unsafe-no-fsync',
    ],
  })
}

// The API server makes its own self-signed certificate, so that file is also its certificate authority.
async function waitForApiServer(
  server: string,
  certificate: string,
  token: string,
  processes: readonly ManagedProcess[],
  ctx: Context,
): Promise<string> {
  const isReady = async (): Promise<boolean> => {
    const client = apiClient(server, await readFile(certificate, 'utf8'), token)
    try {
      return (await client.request('GET', '/readyz')).status === 200
    } finally {
      client.close()
    }
  }
  await waitUntil('the API server was ready', isReady, { processes }, ctx)
  return readFile(certificate, 'utf8')
}

async function writeServiceAccountKey(path: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  await writeFile(path, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 })
}
