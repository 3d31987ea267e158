import { type Context, isRecord, LadingError } from '../../core/index.ts'
import type { WireAnswer } from '../../net/index.ts'
import { isTag } from '../reference.ts'
import { header } from './answer-error.ts'
import type { RegistryClient, RegistryRequest } from './client.ts'
import { readAnswer } from './network/read-body.ts'
import { scopeOf } from './repository-paths.ts'

const maxPageBytes = 8 * 1024 * 1024
const maxPages = 1000

/** All tags of a repository. */
export async function listTags(client: RegistryClient, repository: string, ctx: Context): Promise<string[]> {
  const request = {
    method: 'GET',
    to: `/v2/${repository}/tags/list?n=1000`,
    scopes: [scopeOf(repository, 'pull')],
    expect: [200],
    what: `list of the tags of ${repository}`,
  } as const
  const tags = new Set<string>()
  for await (const { value } of pages(client, request, ctx)) {
    const page = isRecord(value) ? (value['tags'] ?? []) : undefined
    if (!Array.isArray(page)) throw noList(client, request.what)
    for (const tag of page) if (typeof tag === 'string' && isTag(tag)) tags.add(tag)
  }
  return [...tags].sort()
}

/** A page of a listing. */
export interface Page {
  readonly value: unknown
  readonly answer: WireAnswer
}

/** The pages of a listing, as their Link headers lead on; never to another host. */
export async function* pages(
  client: RegistryClient,
  request: RegistryRequest,
  ctx: Context,
): AsyncGenerator<Page, void> {
  let to: string | URL = request.to
  for (let count = 1; ; count++) {
    const answer = await client.send({ ...request, to }, ctx)
    const value = parse(await readAnswer(answer, maxPageBytes, request.what, ctx))
    if (value === undefined) throw noList(client, request.what)
    yield { value, answer }
    const next = nextPage(client, answer)
    if (next === undefined) return
    if (count >= maxPages) {
      throw new LadingError('oci.too-large', `${request.what}: more than the ${maxPages} pages that are allowed`)
    }
    to = next
  }
}

/** RFC 8288; registries link the next page by a relative URL, some by an absolute one. */
function nextPage(client: RegistryClient, answer: WireAnswer): URL | undefined {
  const [, target] = /<([^<>]*)>\s*;[^,]*\brel="?next"?/.exec((header(answer, 'link') ?? '').slice(0, 8192)) ?? []
  if (target === undefined) return undefined
  const url = client.elsewhere(target, answer.url)
  if (url.origin === client.origin.origin) return url
  const message = `${client.origin.host} continues a list on ${url.host}`
  throw new LadingError('oci.unsafe', message, { registry: client.origin.host, host: url.host })
}

function noList(client: RegistryClient, what: string): LadingError {
  return new LadingError('oci.server-error', `${what}: ${client.origin.host} answered with no list`)
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
