import { isRecord, type KubeObject, parseJson } from '../../core/index.ts'
import { type Sandbox, startSandbox } from '../start.ts'

/** An answer as tests look at it. */
export interface TestAnswer {
  readonly code: number
  readonly body: Record<string, unknown>
  readonly warning: string | null
}

/** Speaks plain HTTP to a sandbox of its own. */
export interface TestClient {
  request(method: string, path: string, body?: unknown, contentType?: string): Promise<TestAnswer>
  /** Watches a path until an object fits, and gives that object. */
  until(path: string, fits: (object: KubeObject, type: string) => boolean): Promise<KubeObject>
  stop(): Promise<void>
}

/** Content types of patches, by their short names. */
export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const

/** Starts a sandbox for a test file. */
export async function openSandbox(): Promise<TestClient> {
  const sandbox = await startSandbox({ tls: false })
  const headers = { authorization: `Bearer ${sandbox.token}`, 'user-agent': 'test' }
  return {
    async request(method, path, body, contentType = 'application/json') {
      const response = await fetch(sandbox.url + path, {
        method,
        headers: { ...headers, 'content-type': contentType },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      // Paths that nothing is served at are answered in plain text.
      const isJson = response.headers.get('content-type')?.includes('json') === true
      const parsed = isJson ? parseJson(await response.text()) : await response.text()
      return { code: response.status, body: isRecord(parsed) ? parsed : {}, warning: response.headers.get('warning') }
    },
    until: (path, fits) => watchUntil(sandbox, headers, path, fits),
    stop: () => sandbox.stop(),
  }
}

async function watchUntil(
  sandbox: Sandbox,
  headers: Record<string, string>,
  path: string,
  fits: (object: KubeObject, type: string) => boolean,
): Promise<KubeObject> {
  const leaving = new AbortController()
  const separator = path.includes('?') ? '&' : '?'
  const response = await fetch(`${sandbox.url}${path}${separator}watch=true`, { headers, signal: leaving.signal })
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        const { type, object } = parseJson(line) as { type: string; object: KubeObject }
        if (fits(object, type)) return object
      }
    }
  } finally {
    leaving.abort()
  }
  throw new Error(`the watch of ${path} ended`)
}
