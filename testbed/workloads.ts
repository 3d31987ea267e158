import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context } from '../src/core/index.ts'
import { ensureTool } from './build.ts'
import type { ControlPlane } from './control-plane.ts'
import { freePorts } from './free-ports.ts'
import type { ManagedProcess, Processes } from './processes.ts'
import { waitUntil } from './wait-until.ts'

/** Starts controllers, scheduler and simulated nodes, so that Pods run; returns once every node takes Pods. */
export async function startWorkloads(
  processes: Processes,
  controlPlane: ControlPlane,
  nodes: number,
  ctx: Context,
): Promise<void> {
  const controllerManager = await ensureTool('kube-controller-manager', ctx)
  const scheduler = await ensureTool('kube-scheduler', ctx)
  const kwok = await ensureTool('kwok', ctx)
  const kubeconfig = `--kubeconfig=${controlPlane.kubeconfig}`
  const started = [
    await processes.start({
      name: 'kube-controller-manager',
      command: controllerManager,
      args: [
        kubeconfig,
        `--service-account-private-key-file=${controlPlane.serviceAccountKey}`,
        `--root-ca-file=${join(controlPlane.certificates, 'apiserver.crt')}`,
        '--leader-elect=false',
        // No port of its own: the defaults are fixed, and two testbeds would fight over them.
        '--secure-port=0',
        '--kube-api-qps=200',
        '--kube-api-burst=400',
        // A busy machine must not make nodes look dead.
        '--node-monitor-grace-period=30m',
      ],
    }),
    await processes.start({
      name: 'kube-scheduler',
      command: scheduler,
      args: [kubeconfig, '--leader-elect=false', '--secure-port=0', '--kube-api-qps=200', '--kube-api-burst=400'],
    }),
    await startKwok(processes, controlPlane, kwok),
  ]
  await createNodes(controlPlane, nodes)
  await waitUntil('every node took Pods', () => nodesTakePods(controlPlane, nodes), { processes: started }, ctx)
}

async function startKwok(processes: Processes, controlPlane: ControlPlane, command: string): Promise<ManagedProcess> {
  const [kubeletPort = 0] = await freePorts(1)
  const logs = join(processes.folder, 'simulated-logs.yaml')
  await writeFile(
    logs,
    simulatedLogs(fileURLToPath(new URL('./kwok/container-log.txt', import.meta.url)), processes.folder),
  )
  return processes.start({
    name: 'kwok',
    command,
    args: [
      `--kubeconfig=${controlPlane.kubeconfig}`,
      '--manage-all-nodes=true',
      `--config=${fileURLToPath(new URL('./kwok/stages.yaml', import.meta.url))}`,
      `--config=${logs}`,
      // The API server reaches this "kubelet" for logs and exec; it does not check who signed the certificate.
      '--node-ip=127.0.0.1',
      `--node-port=${kubeletPort}`,
      `--server-address=127.0.0.1:${kubeletPort}`,
      `--tls-cert-file=${join(controlPlane.certificates, 'apiserver.crt')}`,
      `--tls-private-key-file=${join(controlPlane.certificates, 'apiserver.key')}`,
    ],
  })
}

// Every container has the same log; a command that is run in one is run on this machine, in the testbed's folder.
function simulatedLogs(logFile: string, workDir: string): string {
  const rules = [
    { kind: 'ClusterLogs', spec: { logs: [{ logsFile: logFile, previousLogsFile: logFile }] } },
    { kind: 'ClusterExec', spec: { execs: [{ local: { workDir } }] } },
    { kind: 'ClusterPortForward', spec: { forwards: [{ ports: [7], command: ['cat'] }] } },
  ]
  return rules
    .map((rule) => JSON.stringify({ apiVersion: 'kwok.x-k8s.io/v1alpha1', metadata: { name: 'all-pods' }, ...rule }))
    .join('\n---\n')
}

async function createNodes(controlPlane: ControlPlane, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const name = `node-${index}`
    await controlPlane.api.apply(`/api/v1/nodes/${name}`, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' } },
    })
  }
}

async function nodesTakePods(controlPlane: ControlPlane, count: number): Promise<boolean> {
  const account = await controlPlane.api.request('GET', '/api/v1/namespaces/default/serviceaccounts/default')
  if (account.status !== 200) return false
  const answer = await controlPlane.api.request('GET', '/api/v1/nodes')
  const { items } = answer.json as { items: NodeObject[] }
  const ready = items.filter(
    (node) =>
      (node.spec.taints ?? []).length === 0 &&
      node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true,
  )
  return ready.length >= count
}

interface NodeObject {
  spec: { taints?: unknown[] }
  status?: { conditions?: { type: string; status: string }[] }
}
