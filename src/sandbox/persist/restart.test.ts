import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import { clusterIdentity, connect, type Connected, createObject, listObjects, watchObjects } from '../../kube/index.ts'
import { type Sandbox, startSandbox } from '../start.ts'

const ctx = context()
const gvk = { group: '', version: 'v1', kind: 'ConfigMap' }
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lading-restart-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

test('a sandbox that is killed in the middle of writes has every write that it acknowledged', async () => {
  const child = startChild()
  const ended = once(child, 'exit')
  await once(createInterface(child.stdout), 'line')
  const cluster = await connect({ kubeconfig: join(folder, 'kubeconfig'), transport: { retry: { attempts: 1 } } }, ctx)
  const acknowledged: string[] = []
  const writers = Array.from({ length: 16 }, async (_, writer) => {
    for (let at = 0; ; at++) {
      await createObject(cluster, configMap(`kept-${writer}-${at}`), {}, ctx)
      acknowledged.push(`kept-${writer}-${at}`)
      if (acknowledged.length === 300) child.kill('SIGKILL')
    }
  })
  await Promise.allSettled(writers)
  await ended
  await cluster.close()

  await running(async (again) => {
    const { items } = await listObjects(again, { gvk, namespace: 'default' }, ctx)
    const names = new Set(items.map(({ metadata }) => metadata.name))
    expect(acknowledged.length).toBeGreaterThanOrEqual(300)
    expect(acknowledged.filter((name) => !names.has(name))).toEqual([])
  })
})

test('a watch goes on over a restart, with what changed', async () => {
  let seen = ''
  await running(async (cluster) => {
    await createObject(cluster, configMap('first'), {}, ctx)
    seen = (await listObjects(cluster, { gvk, namespace: 'default' }, ctx)).resourceVersion
  })
  await running(async (cluster) => {
    await createObject(cluster, configMap('second'), {}, ctx)
    const from = { items: [], resourceVersion: seen }
    const told: string[] = []
    for await (const event of watchObjects(cluster, { gvk, namespace: 'default', from }, ctx)) {
      if (event.type === 'added') told.push(event.object.metadata.name)
      if (event.type === 'relisted') break
    }
    expect(told).toContain('second')
  })
})

test('whoever had a kubeconfig before the restart is still known', async () => {
  const first = await startSandbox({ persist: folder })
  await first.stop()
  const second = await startSandbox({ persist: folder })
  expect(second.token).toBe(first.token)
  await second.stop()
  expect(readdirSync(folder)).not.toContain('lock')
})

test('a sandbox is the same cluster after a restart, and no other one', async () => {
  const identities: string[] = []
  for (let run = 0; run < 2; run++)
    await running(async (cluster) => void identities.push(await clusterIdentity(cluster, ctx)))
  const [before, after] = identities
  expect(before).toMatch(/^[0-9a-f-]{36}$/)
  expect(after).toBe(before)
  const other = await startSandbox()
  const cluster = await connect({ kubeconfig: other.kubeconfig }, ctx)
  expect(await clusterIdentity(cluster, ctx)).not.toBe(before)
  await cluster.close()
  await other.stop()
})

test('two sandboxes do not share a folder', async () => {
  const first = await startSandbox({ persist: folder })
  try {
    await expect(startSandbox({ persist: folder })).rejects.toMatchObject({ code: 'sandbox.in-use' })
  } finally {
    await first.stop()
  }
})

function startChild(): ReturnType<typeof spawn> & { stdout: NodeJS.ReadableStream } {
  const module = new URL('../start.ts', import.meta.url).href
  const options = JSON.stringify({ persist: folder, kubeconfig: join(folder, 'kubeconfig') })
  const script = `const { startSandbox } = await import('${module}'); console.log((await startSandbox(${options})).url)`
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function running(use: (cluster: Connected, sandbox: Sandbox) => Promise<void>): Promise<void> {
  const sandbox = await startSandbox({ persist: folder })
  const cluster = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
  try {
    await use(cluster, sandbox)
  } finally {
    await cluster.close()
    await sandbox.stop()
  }
}

function configMap(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } }
}
