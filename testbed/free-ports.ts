import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Ports on 127.0.0.1 that nobody listens on. They are drawn at random from below the range that the kernel gives to outgoing
 * connections, so that nothing else takes them before the program does.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(12_000, 32_000)
    if (!ports.has(port) && (await isFree(port))) ports.add(port)
  }
  return [...ports]
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
