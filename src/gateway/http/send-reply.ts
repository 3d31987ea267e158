import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Reply } from './route.ts'

/** Sends what a handler answered. */
export function sendReply(reply: FastifyReply, { status, headers = {}, body, stream }: Reply): FastifyReply {
  reply.status(status).headers(headers)
  if (stream !== undefined) return reply.send(Readable.from(stream, { objectMode: false }))
  if (body === undefined) return reply.send()
  if (headers['content-type'] === undefined) reply.type('application/json')
  return reply.send(typeof body === 'string' ? body : JSON.stringify(body))
}
