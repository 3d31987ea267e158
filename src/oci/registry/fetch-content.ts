import { type Context, LadingError } from '../../core/index.ts'
import { dump, type WireAnswer } from '../../net/index.ts'
import { type Descriptor, sizeMismatch } from '../descriptor.ts'
import { isManifestType, manifestTooLarge, maxManifestBytes } from '../manifest.ts'
import { verifyStream } from '../verify-stream.ts'
import { header } from './answer-error.ts'
import type { RegistryClient } from './client.ts'
import { contentPath, scopeOf } from './repository-paths.ts'
import { wireError } from './network/wire-error.ts'

/** Opens content of a repository; a stream that breaks is taken up again where it broke. */
export async function fetchContent(
  client: RegistryClient,
  repository: string,
  d: Descriptor,
  ctx: Context,
): Promise<AsyncIterable<Uint8Array>> {
  if (isManifestType(d.mediaType) && d.size > maxManifestBytes) throw manifestTooLarge(d, d.size)
  const open = (offset: number): Promise<WireAnswer> =>
    client.send(
      {
        method: 'GET',
        to: contentPath(repository, d),
        headers: {
          ...(isManifestType(d.mediaType) && { accept: d.mediaType }),
          ...(offset > 0 && { range: `bytes=${offset}-${d.size - 1}` }),
        },
        scopes: [scopeOf(repository, 'pull')],
        expect: offset > 0 ? [200, 206] : [200],
        what: `pull of ${d.digest} from ${repository}`,
      },
      ctx,
    )
  const first = await open(0)
  const length = header(first, 'content-length')
  if (length !== undefined && Number(length) !== d.size) {
    await dump(first)
    throw sizeMismatch(d, Number(length))
  }
  return verifyStream(d, resumed(client, d, first, open, ctx))
}

async function* resumed(
  client: RegistryClient,
  d: Descriptor,
  first: WireAnswer,
  open: (offset: number) => Promise<WireAnswer>,
  ctx: Context,
): AsyncGenerator<Uint8Array, void> {
  let answer: WireAnswer | undefined = first
  let offset = 0
  for (let fruitless = 0; ; fruitless++) {
    const before = offset
    let failure: LadingError
    try {
      answer ??= await open(offset)
      for await (const chunk of afterOffset(answer, offset)) {
        offset += chunk.byteLength
        yield chunk
      }
      if (offset >= d.size) return
      failure = sizeMismatch(d, offset)
    } catch (error) {
      failure = wireError(error, client.origin, ctx.signal)
      if (failure.code !== 'oci.unreachable' && failure.code !== 'oci.timeout') throw failure
    }
    answer = undefined
    if (offset > before) fruitless = 0
    // `open` itself has tried often enough; a body that never brings anything is not asked for again and again.
    if (fruitless >= 3) throw failure
    ctx.log.debug('a pull is taken up again', { digest: d.digest, offset, code: failure.code })
  }
}

/** The body from `offset` on: a registry that does not know ranges sends all of it again. */
async function* afterOffset(answer: WireAnswer, offset: number): AsyncGenerator<Uint8Array, void> {
  let skip = offset
  if (answer.status === 206) {
    const [, start] = /^bytes (\d+)-/.exec(header(answer, 'content-range') ?? '') ?? []
    if (Number(start) !== offset) {
      await dump(answer)
      throw new LadingError('oci.refused', `${answer.url.host} answered with another range than was asked for`)
    }
    skip = 0
  }
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    if (skip >= chunk.byteLength) skip -= chunk.byteLength
    else {
      yield skip > 0 ? chunk.subarray(skip) : chunk
      skip = 0
    }
  }
}
