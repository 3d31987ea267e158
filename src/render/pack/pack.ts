/** What Pack.yaml says about itself. */
export interface PackMetadata {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly appVersion?: string
}

/** A row of `dependencies` in Pack.yaml. */
export interface PackDependency {
  readonly name: string
  readonly enabled: boolean
  /** A path into the values; the pack is left out where it is not true. */
  readonly condition?: string
  readonly alias?: string
}

/** A pack in memory; nothing changes it after it was loaded. */
export interface Pack {
  readonly metadata: PackMetadata
  readonly kind: 'application' | 'library'
  readonly dependencies: readonly PackDependency[]
  /** Whether what is undefined may still be looked into; otherwise only printing it gives nothing. */
  readonly strict: boolean
  readonly installsCrds: boolean
  readonly values: Readonly<Record<string, unknown>>
  /** As JSON Schema, whichever of the two formats it was written in. */
  readonly schema?: Readonly<Record<string, unknown>>
  /** Defaults that the schema gives. */
  readonly schemaDefaults: Readonly<Record<string, unknown>>
  /** Below templates/, sorted; named from there. */
  readonly templates: ReadonlyMap<string, string>
  /** Below crds/, sorted. */
  readonly crds: ReadonlyMap<string, string>
  /** Every file, by its path below the pack. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Packs below charts/, by the name of their folder. */
  readonly subpacks: ReadonlyMap<string, Pack>
}
