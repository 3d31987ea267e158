import { describe, expect, it } from 'vitest'
import { context, manualClock } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { staticConnection } from '../connect/connection.ts'
import { execInPod, type ExecOptions, type ExecResult } from './exec.ts'
import { type Command, serverFrame, startExecServer } from '../testing/exec-server.ts'
import { createTransport } from '../transport/undici-transport.ts'

const pod = { namespace: 'shop', name: 'web-1' }
const success = JSON.stringify({ status: 'Success', metadata: {} })

describe('a command in a pod', () => {
  it('gives its exit code and what it wrote, and gets its words as they are', async () => {
    const { result, asked } = await exec(
      (words, send) => {
        send(1, `ran ${JSON.stringify(words)}`)
        send(2, 'and warned')
        send(3, success)
        send.close()
      },
      { command: ['/bin/check', '--name', 'a b&c'], container: 'main' },
    )
    expect(result).toEqual({ exitCode: 0, stdout: 'ran ["/bin/check","--name","a b&c"]', stderr: 'and warned' })
    expect(asked).toEqual(['/api/v1/namespaces/shop/pods/web-1/exec v4.channel.k8s.io main'])
  })

  it('that fails has the exit code of its Status', async () => {
    const status = {
      status: 'Failure',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '7' }] },
    }
    const { result } = await exec((_words, send) => {
      send(3, JSON.stringify(status))
      send.close()
    })
    expect(result.exitCode).toBe(7)
  })

  it('that could not be started is an error with the cluster’s words', async () => {
    const status = { status: 'Failure', reason: 'InternalError', message: 'no such file or directory', code: 500 }
    const failing = exec((_words, send) => {
      send(3, JSON.stringify(status))
      send.close()
    })
    await expect(failing).rejects.toMatchObject({ code: 'kube.server-error', message: 'no such file or directory' })
  })

  it('may write in fragments, with pings between them, and much more than is kept', async () => {
    const { result } = await exec(
      (_words, send) => {
        send.raw(serverFrame(2, Buffer.from('\u0001frag'), false))
        send.raw(serverFrame(9, Buffer.from('still there?')))
        send.raw(serverFrame(0, Buffer.from('mented ')))
        send(1, 'x'.repeat(70_000))
        send(1, 'the end')
        send(3, success)
        send.close()
      },
      { command: ['x'], keepBytes: 10 },
    )
    expect(result.stdout).toBe('xxxthe end')
  })

  it('whose connection is cut did not succeed', async () => {
    const failing = exec((_words, send, socket) => {
      send(1, 'half')
      socket.end()
    })
    await expect(failing).rejects.toMatchObject({ code: 'kube.unreachable' })
  })

  it('that does not end in time is given up', async () => {
    const clock = manualClock()
    const failing = exec(() => void clock.advance(30_000), { command: ['sleep'] }, clock)
    await expect(failing).rejects.toMatchObject({ code: 'kube.timeout' })
  })

  it('that the identity may not run is refused as anything else is', async () => {
    const refused = exec('refuse')
    await expect(refused).rejects.toMatchObject({ code: 'kube.forbidden', message: 'pods/exec is forbidden' })
  })
})

async function exec(
  command: Command | 'refuse',
  options: ExecOptions = { command: ['x'] },
  clock = context().clock,
): Promise<{ result: ExecResult; asked: readonly string[] }> {
  await using server = await startExecServer(command)
  const transport = createTransport(staticConnection(server.url, { headers: {} }))
  const pods = {
    group: '',
    version: 'v1',
    kind: 'Pod',
    resource: 'pods',
    namespaced: true,
    verbs: [],
    shortNames: [],
    categories: [],
    subresources: [],
  }
  const cluster: Cluster = {
    transport,
    discovery: { find: async () => pods, all: async () => [pods], invalidate: () => undefined },
  }
  try {
    return { result: await execInPod(cluster, pod, options, context({ clock })), asked: server.asked }
  } finally {
    await transport.close()
  }
}
