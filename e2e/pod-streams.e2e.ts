import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { context } from '../src/core/index.ts'
import {
  applyObject,
  type Connected,
  connect,
  copyFromPod,
  forwardPort,
  openExec,
  openPort,
  waitForReady,
} from '../src/kube/index.ts'
import { type LiveNamespace, openNamespace } from './fixtures/live-namespace.ts'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ctx = context()
const pod = { namespace: 'pod-streams', name: 'web' }
let cluster: Connected
let namespace: LiveNamespace

beforeAll(async () => {
  namespace = await openNamespace(pod.namespace)
  cluster = await connect({ kubeconfig: inject('kubeconfig') }, ctx)
  const spec = { containers: [{ name: 'main', image: 'web' }] }
  await applyObject(cluster, { apiVersion: 'v1', kind: 'Pod', metadata: pod, spec }, {}, ctx)
  const target = { ...pod, group: '', version: 'v1', kind: 'Pod' }
  for await (const _event of waitForReady(cluster, [target], { timeoutMs: 60_000 }, ctx));
})
afterAll(async () => {
  await cluster?.close()
  await namespace?.close()
})

it('a command reads much and writes much through a real API server', async () => {
  const output: Uint8Array[] = []
  const stdout = (chunk: Uint8Array): void => void output.push(chunk)
  const command = ['head', '-c', '5000000']
  await using session = await openExec(cluster, pod, { command, stdin: Buffer.alloc(5_000_000, 'x'), stdout }, ctx)
  expect([session.closesStdin, await session.exitCode]).toEqual([true, 0])
  expect(Buffer.concat(output).equals(Buffer.alloc(5_000_000, 'x'))).toBe(true)
})

it('a command without stdin runs over the kubelet’s own WebSocket', async () => {
  let received = 0
  const stdout = (chunk: Uint8Array): void => void (received += chunk.length)
  await using session = await openExec(cluster, pod, { command: ['head', '-c', '3000000', '/dev/zero'], stdout }, ctx)
  expect([await session.exitCode, received]).toEqual([0, 3_000_000])
})

it('tar of a real container is copied', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lading-e2e-copy-'))
  try {
    const source = fileURLToPath(new URL('../src/core/tar', import.meta.url))
    const { files } = await copyFromPod(cluster, pod, source, join(folder, 'tar'), {}, ctx)
    expect(files).toContain(join(folder, 'tar', 'index.ts'))
    const [copied, original] = [join(folder, 'tar', 'index.ts'), join(source, 'index.ts')].map((one) => readFile(one))
    expect(await copied).toEqual(await original)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

it('a port is forwarded for several connections, and one that nothing listens on is an error of its own', async () => {
  await using forward = await forwardPort(cluster, { namespace: pod.namespace, pod: pod.name, port: 7 }, {}, ctx)
  const sockets = [connectTcp(forward.port, '127.0.0.1'), connectTcp(forward.port, '127.0.0.1')]
  const echoed = sockets.map(async (socket, index) => {
    socket.write(`connection ${index}`)
    return String((await once(socket, 'data'))[0])
  })
  expect(await Promise.all(echoed)).toEqual(['connection 0', 'connection 1'])
  for (const socket of sockets) socket.destroy()
  const dead = await openPort(cluster, { namespace: pod.namespace, pod: pod.name, port: 9 }, ctx)
  await expect(dead.toArray()).rejects.toMatchObject({ code: 'kube.unreachable' })
})
