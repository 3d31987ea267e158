import { isRecord } from '../../core/index.ts'
import type { Descriptor } from '../descriptor.ts'
import { maxManifestBytes, mediaTypes, readDescriptor } from '../manifest.ts'
import { isTag } from '../reference.ts'
import { layoutError, readWhole } from './layout-files.ts'

/** The annotation that holds an entry's tag (OCI image specification, "index.json file"). */
const refName = 'org.opencontainers.image.ref.name'
const maxIndexBytes = 16 * maxManifestBytes

/** `index.json`: its entries, and what else it says. */
export interface LayoutIndex {
  readonly entries: readonly Descriptor[]
  readonly rest: Readonly<Record<string, unknown>>
}

/** Reads `index.json`; an empty one where there is none. */
export async function readIndex(path: string): Promise<LayoutIndex> {
  const bytes = await readWhole(path, maxIndexBytes)
  if (bytes === undefined) return { entries: [], rest: {} }
  const value = parse(bytes)
  if (!isRecord(value) || value['schemaVersion'] !== 2) throw layoutError(path, 'is no OCI index')
  const { manifests, ...rest } = value
  if (!Array.isArray(manifests)) throw layoutError(path, 'has no list of manifests')
  const invalid = (what: string) => layoutError(path, `is no OCI index: ${what}`)
  // Fields that Lading does not know are kept: others wrote them, and others read them.
  const entries = manifests.map((one: unknown, at) => {
    const known = readDescriptor(one, `manifests[${at}]`, invalid)
    return { ...(one as object), ...known }
  })
  return { entries, rest }
}

/** The bytes of `index.json`. */
export function formatIndex({ entries, rest }: LayoutIndex): Uint8Array {
  const index = { schemaVersion: 2, mediaType: mediaTypes.ociIndex, ...rest, manifests: entries }
  return Buffer.from(JSON.stringify(index))
}

/** The tag of an entry; other tools also write whole references there, which are none. */
export function tagOf({ annotations }: Descriptor): string | undefined {
  const name = annotations?.[refName]
  return name !== undefined && isTag(name) ? name : undefined
}

/** The entries once a manifest is listed, under a tag or without one. */
export function withEntry(
  entries: readonly Descriptor[],
  d: Descriptor,
  tag: string | undefined,
): readonly Descriptor[] {
  if (tag === undefined) {
    return entries.some(({ digest }) => digest === d.digest) ? entries : [...entries, untagged(d)]
  }
  const others = entries.filter(
    (one) => tagOf(one) !== tag && (one.digest !== d.digest || one.annotations?.[refName] !== undefined),
  )
  // What loses its tag stays listed, so that it can still be found by its digest.
  const orphans = entries.filter((one) => tagOf(one) === tag && one.digest !== d.digest)
  const kept = orphans.reduce((list, one) => withEntry(list, untagged(one), undefined), others as readonly Descriptor[])
  const { annotations, ...rest } = untagged(d)
  return [...kept, { ...rest, annotations: { ...annotations, [refName]: tag } }]
}

/** A descriptor as it is without a tag. */
export function untagged({ annotations, ...rest }: Descriptor): Descriptor {
  const { [refName]: _tag, ...others } = annotations ?? {}
  return Object.keys(others).length === 0 ? rest : { ...rest, annotations: others }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
