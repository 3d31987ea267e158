import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'
import { denial, denied, replace } from './denial.ts'

const problem = 'it uses the network, which is not allowed'

/**
 * Takes the network away. Everything of Node that connects or listens, `fetch` included, comes by these functions in the end, and the native
 * ones below them cannot be reached from a program. Newer versions of Node deny the network by a permission too.
 */
export function denyNetwork(): void {
  // As a connection that fails: an error event, or a fetch that is rejected.
  replace(net.Socket.prototype, 'connect', function refuseConnect(this: net.Socket) {
    process.nextTick(() => this.destroy(denial(problem)))
    return this
  })
  for (const name of ['listen', '_listen2', '_setupWorker']) replace(net.Server.prototype, name, denied(problem))
  for (const name of ['_createServerHandle', 'BoundSocket']) replace(net, name, denied(problem))
  denyFunctions(dgram)
  denyFunctions(dns.promises)
  denyFunctions(dns)
}

function denyFunctions(module: object): void {
  for (const [name, value] of Object.entries(module)) {
    if (typeof value === 'function') replace(module, name, denied(problem))
  }
}
