import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Answers one HTTP request by `git http-backend`, the CGI program (RFC 3875) that comes with git. */
export function runGitBackend(root: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_PROTOCOL: header(request, 'git-protocol'),
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      REMOTE_ADDR: '127.0.0.1',
      CONTENT_TYPE: header(request, 'content-type'),
      CONTENT_LENGTH: request.headers['content-length'],
      HTTP_CONTENT_ENCODING: header(request, 'content-encoding'),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  request.pipe(backend.stdin)
  // The program may answer without having read all of the request.
  backend.stdin.on('error', () => request.resume())
  backend.once('error', (error) => fail(response, error.message))

  let head = Buffer.alloc(0)
  const onHead = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    backend.stdout.off('data', onHead)
    const headers = parseHeaders(head.subarray(0, end).toString('latin1'))
    const status = Number.parseInt(headers.get('status') ?? '200', 10)
    headers.delete('status')
    response.writeHead(status, Object.fromEntries(headers))
    response.write(head.subarray(end + 4))
    backend.stdout.pipe(response)
  }
  backend.stdout.on('data', onHead)
  backend.once('close', () => fail(response, 'git http-backend gave no answer'))
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}

function parseHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':')
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  return headers
}

function fail(response: ServerResponse, message: string): void {
  if (response.headersSent) return
  response.writeHead(500, { 'content-type': 'text/plain' })
  response.end(`${message}\n`)
}
