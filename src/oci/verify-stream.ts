import { createHash } from 'node:crypto'
import { toLadingError } from '../core/index.ts'
import { type Descriptor, digestMismatch, parseDigest, sizeMismatch } from './descriptor.ts'
import type { PushContent } from './target.ts'

/**
 * Passes content on while checking it. A chunk is held back until the next one comes, so that the last one is given only
 * after size and digest proved right: wrong content never comes out whole.
 */
export async function* verifyStream(
  d: Descriptor,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const { algorithm } = parseDigest(d.digest)
  const hash = createHash(algorithm)
  let size = 0
  let held: Uint8Array | undefined
  for await (const chunk of content) {
    size += chunk.byteLength
    if (size > d.size) throw sizeMismatch(d, size, true)
    hash.update(chunk)
    if (held !== undefined) yield held
    held = chunk
  }
  if (size !== d.size) throw sizeMismatch(d, size)
  const actual = `${algorithm}:${hash.digest('hex')}`
  if (actual !== d.digest) throw digestMismatch(d, actual)
  if (held !== undefined) yield held
}

/** Content that is to be pushed, checked while it is read. */
export function verifiedContent(d: Descriptor, content: PushContent): AsyncGenerator<Uint8Array, void> {
  return verifyStream(d, content instanceof Uint8Array ? [content] : named(content()))
}

/** A source that fails must not pass for a failing connection, which would be tried again. */
async function* named(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* content
  } catch (error) {
    throw toLadingError(error)
  }
}
