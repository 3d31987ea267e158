import assert from 'node:assert/strict'
import { type ErrorCode, isLadingError, type LadingEvent } from '../../core/index.ts'
import { type Descriptor, describe } from '../descriptor.ts'
import { mediaTypes } from '../manifest.ts'
import { fetchAll, type Target } from '../target.ts'
import type { CaseContext } from './harness.ts'

/** Content and its descriptor. */
export interface Content {
  readonly d: Descriptor
  readonly bytes: Uint8Array
}

/** Some content from text. */
export function blob(text: string, mediaType = 'application/vnd.example.layer'): Content {
  const bytes = new TextEncoder().encode(text)
  return { d: describe(mediaType, bytes), bytes }
}

/** Content that does not repeat itself, in the given length. */
export function largeBlob(size: number, seed = 1): Content {
  const bytes = new Uint8Array(size)
  let state = seed
  for (let index = 0; index < size; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
    bytes[index] = state >>> 16
  }
  return { d: describe('application/vnd.example.layer', bytes), bytes }
}

/** A manifest of an artifact. */
export function manifestOf(
  config: Descriptor,
  layers: readonly Descriptor[],
  extra: { subject?: Descriptor; artifactType?: string; annotations?: Record<string, string> } = {},
  mediaType: string = mediaTypes.ociManifest,
): Content {
  return json({ schemaVersion: 2, mediaType, config, layers, ...extra }, mediaType)
}

/** An index of manifests. */
export function indexOf(manifests: readonly Descriptor[]): Content {
  return json({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests }, mediaTypes.ociIndex)
}

/** An artifact with one layer, pushed but for its manifest. */
export async function artifact(c: CaseContext, text: string, target: Target = c.target): Promise<Content> {
  const config = blob('{}', 'application/vnd.example.config')
  const layer = blob(text)
  for (const { d, bytes } of [config, layer]) await target.push(d, bytes, c.ctx)
  return manifestOf(config.d, [layer.d])
}

/** A manifest that refers to another, pushed. */
export async function referrer(c: CaseContext, subject: Descriptor, artifactType: string): Promise<Content> {
  const empty = blob('{}', mediaTypes.ociEmpty)
  await c.target.push(empty.d, empty.bytes, c.ctx)
  const content = manifestOf(empty.d, [empty.d], { subject, artifactType, annotations: { of: artifactType } })
  await c.target.push(content.d, content.bytes, c.ctx)
  return content
}

/** Content as text. */
export async function textOf(target: Target, d: Descriptor, c: CaseContext): Promise<string> {
  return new TextDecoder().decode(await fetchAll(target, d, 64 * 1024 * 1024, c.ctx))
}

/** Fails unless the work fails by one of these codes. */
export async function refused(work: () => Promise<unknown>, ...codes: ErrorCode[]): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isLadingError(error, ...codes)) throw error
    return
  }
  assert.fail(`expected ${codes.join(' or ')}`)
}

/** Runs a long operation to its end. */
export async function finish<R>(
  work: AsyncGenerator<LadingEvent, R>,
): Promise<{ readonly result: R; readonly events: readonly LadingEvent[] }> {
  const events: LadingEvent[] = []
  for (;;) {
    const next = await work.next()
    if (next.done === true) return { result: next.value, events }
    events.push(next.value)
  }
}

function json(value: unknown, mediaType: string): Content {
  return blob(JSON.stringify(value), mediaType)
}
