import type { Agent } from 'node:http'
import type { OnReadOpts, Socket } from 'node:net'

const readBytes = 512 * 1024

/**
 * Lets the connections of an agent read as much at a time as the system has at hand, and all of it into the same memory. Node reads
 * 64 KiB into new memory each time, which for a large body costs more than the bytes: its parser of HTTP copies what it passes on.
 */
export function withLargeReads<Kind extends Agent>(agent: Kind): Kind {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) =>
    connect(Object.assign({}, options, { onread: readToOnePlace() }), callback)
  return agent
}

function readToOnePlace(): OnReadOpts {
  const buffer = Buffer.allocUnsafeSlow(readBytes)
  return {
    buffer,
    callback(this: Socket, length: number) {
      this.emit('data', buffer.subarray(0, length))
      return true
    },
  }
}
