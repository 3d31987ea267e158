/** What the OCI specifications call a descriptor: content, by what it is and what it hashes to. */
export interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
  readonly artifactType?: string
  readonly annotations?: Readonly<Record<string, string>>
  /** Where a layer lies that registries need not have. */
  readonly urls?: readonly string[]
}

/** The annotation that names an entry of an image layout. */
const refName = 'org.opencontainers.image.ref.name'

const tagPattern = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/

/** Whether a text can be a tag (distribution specification, "Pulling manifests"). */
export function isTag(text: string): boolean {
  return tagPattern.test(text)
}

/** The tag of an entry of an index; other tools also write whole references there, which are none. */
export function tagOf({ annotations }: Descriptor): string | undefined {
  const name = annotations?.[refName]
  return name !== undefined && isTag(name) ? name : undefined
}

/** The same content under a tag, or under none. */
export function tagged(descriptor: Descriptor, tag: string | undefined): Descriptor {
  const { annotations: { [refName]: _old, ...others } = {}, ...rest } = descriptor
  const annotations = tag === undefined ? others : { ...others, [refName]: tag }
  return Object.keys(annotations).length === 0 ? rest : { ...rest, annotations }
}
