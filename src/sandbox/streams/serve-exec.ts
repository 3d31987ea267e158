import type { ServerResponse } from 'node:http'
import { isRecord, parseJson, stringifyJson } from '../../core/index.ts'
import { StatusError } from '../status-error.ts'
import type { ExecAnswer, ExecCall } from './scripts.ts'
import { acceptSocket, type ServerSocket } from './server-socket.ts'

const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io']

/** What a command is known by before its connection is open. */
export type ExecRequest = Pick<ExecCall, 'namespace' | 'pod' | 'container' | 'command' | 'tty'>

/** Runs a scripted command over a WebSocket, as a kubelet runs a real one. */
export async function serveExec(
  response: ServerResponse,
  request: ExecRequest,
  hasStdin: boolean,
  run: (call: ExecCall) => Promise<ExecAnswer>,
): Promise<void> {
  const socket = acceptSocket(response, protocols)
  const inputs = new Inputs(socket)
  const write = async (stream: 'stdout' | 'stderr', content: string | Uint8Array = ''): Promise<void> => {
    const channel = stream === 'stderr' && !request.tty ? channels.stderr : channels.stdout
    if (content.length > 0) await socket.send(onChannel(channel, content))
  }
  const resizes: ((size: { columns: number; rows: number }) => void)[] = []
  const reading = inputs.read((size) => resizes.forEach((listener) => listener(size)))
  const call: ExecCall = {
    ...request,
    stdin: hasStdin ? inputs.stdin() : none(),
    write,
    onResize: (listener) => void resizes.push(listener),
    signal: socket.signal,
  }
  const status = await run(call).then(
    async (answer) => {
      await write('stdout', answer.stdout)
      await write('stderr', answer.stderr)
      return statusOf(answer.exitCode ?? 0)
    },
    (error: unknown) => failureOf(error),
  )
  await socket.send(onChannel(channels.error, stringifyJson(status)))
  socket.close()
  await reading
}

/** What the client sends: stdin, and sizes of its terminal. */
class Inputs {
  readonly #socket: ServerSocket
  readonly #chunks: Uint8Array[] = []
  #ended = false
  #wake = (): void => {}

  constructor(socket: ServerSocket) {
    this.#socket = socket
  }

  async read(resized: (size: { columns: number; rows: number }) => void): Promise<void> {
    try {
      for await (const message of this.#socket.messages()) {
        const content = message.subarray(1)
        if (message[0] === channels.stdin && content.length > 0) this.#chunks.push(content)
        if (message[0] === channels.close && content[0] === channels.stdin) this.#ended = true
        if (message[0] === channels.resize) resized(sizeOf(content))
        this.#wake()
      }
    } catch {
      // The client left, or broke the protocol: nothing more comes.
    } finally {
      this.#ended = true
      this.#wake()
    }
  }

  async *stdin(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const chunk = this.#chunks.shift()
      if (chunk !== undefined) yield chunk
      else if (this.#ended) return
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

// oxlint-disable-next-line require-yield -- nothing is what there is to read
async function* none(): AsyncGenerator<Uint8Array, void> {}

function onChannel(channel: number, content: string | Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([channel]), typeof content === 'string' ? Buffer.from(content) : content])
}

function sizeOf(content: Buffer): { columns: number; rows: number } {
  const size = parseJson(content.toString('utf8'))
  const { Width = 0, Height = 0 } = isRecord(size) ? size : {}
  return { columns: Number(Width), rows: Number(Height) }
}

function statusOf(exitCode: number): Record<string, unknown> {
  if (exitCode === 0) return { metadata: {}, status: 'Success' }
  const message = `command terminated with non-zero exit code: exit status ${exitCode}`
  const causes = [{ reason: 'ExitCode', message: String(exitCode) }]
  return { metadata: {}, status: 'Failure', message, reason: 'NonZeroExitCode', details: { causes } }
}

function failureOf(error: unknown): Record<string, unknown> {
  if (error instanceof StatusError) return error.toStatus()
  const message = error instanceof Error ? error.message : String(error)
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`).toStatus()
}
