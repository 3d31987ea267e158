import { operations, type Operations, type Problem } from './generated.ts'
import { GatewayError } from './gateway-error.ts'

/** The name of an operation of the API. */
export type OperationName = keyof Operations

/** What an operation takes. */
export type OperationInput<Name extends OperationName> = Operations[Name]['input']

/** What an operation gives. */
export type OperationOutput<Name extends OperationName> = Operations[Name]['output']

/** How one request is sent. */
export interface SendOptions {
  readonly signal?: AbortSignal
  /** More headers, such as `if-match` and `idempotency-key`. */
  readonly headers?: Readonly<Record<string, string>>
}

type Arguments<Name extends OperationName> =
  Partial<OperationInput<Name>> extends OperationInput<Name>
    ? [input?: OperationInput<Name>, options?: SendOptions]
    : [input: OperationInput<Name>, options?: SendOptions]

/** A function for each operation of the API. */
export type GatewayClient = {
  readonly [Name in OperationName]: (...given: Arguments<Name>) => Promise<OperationOutput<Name>>
}

/** Where the gateway is and who asks. */
export interface ClientOptions {
  readonly baseUrl: string
  /** A bearer token, or a function that gives the current one; in a browser the session's cookie may do instead. */
  readonly token?: string | (() => string | Promise<string>)
  /** Instead of the global one. */
  readonly fetch?: typeof globalThis.fetch
}

/** A typed client of the gateway; it needs nothing but `fetch`, so it works in browsers too. */
export function createClient(options: ClientOptions): GatewayClient {
  const entries = Object.keys(operations).map((name) => [
    name,
    (input: RequestInput = {}, send: SendOptions = {}) => request(options, name as OperationName, input, send),
  ])
  return Object.fromEntries(entries) as GatewayClient
}

interface RequestInput {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
}

async function request(
  { baseUrl, token, fetch = globalThis.fetch }: ClientOptions,
  name: OperationName,
  { path = {}, query = {}, body }: RequestInput,
  { signal, headers = {} }: SendOptions,
): Promise<unknown> {
  const operation: { readonly method: string; readonly path: string; readonly streamed?: boolean } = operations[name]
  const target = operation.path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(path[key] ?? ''))
  const url = new URL(target.slice(1), baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`)
  for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, String(value))
  const bearer = typeof token === 'function' ? await token() : token
  const response = await fetch(url, {
    method: operation.method,
    signal: signal ?? null,
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new GatewayError(await problemOf(response))
  if (operation.streamed === true) return textOf(response)
  const text = await response.text()
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

/** What the gateway says, or the little that a proxy in between said. */
async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text()
  if ((response.headers.get('content-type') ?? '').includes('application/problem+json'))
    return JSON.parse(text) as Problem
  const title = response.statusText
  const detail = `the gateway answered ${response.status}: ${text.slice(0, 200)}`
  const rest = { type: 'about:blank', instance: '', code: 'unknown', next: '', details: {} }
  return { ...rest, title, detail, status: response.status, retryable: response.status >= 500 }
}

async function* textOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value
  } finally {
    await reader.cancel()
  }
}
