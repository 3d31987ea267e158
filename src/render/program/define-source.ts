import type { KubeObject } from '../../core/index.ts'

/** The release that a program renders its objects for. */
export interface ProgramRelease {
  readonly name: string
  readonly namespace: string
  readonly revision: number
  readonly isInstall: boolean
  readonly isUpgrade: boolean
}

/** Files of the program's own folder. */
export interface ProgramFiles {
  /** The text of a file, by its path below the folder of the program. */
  text(path: string): string
  bytes(path: string): Uint8Array
  /** The paths below a folder, sorted; folders themselves are not listed. */
  list(folder?: string): string[]
}

/** What a program is rendered with. */
export interface ProgramInput<Values = Readonly<Record<string, unknown>>> {
  /** The values of the release: parsed by the schema where the program has one. */
  readonly values: Values
  readonly release: ProgramRelease
  /** The version of the cluster (`v1.35.0`), and the API versions that it serves (`apps/v1`, `apps/v1/Deployment`). */
  readonly capabilities: { readonly kubeVersion: string; readonly apiVersions: readonly string[] }
  readonly files: ProgramFiles
}

/** What a program may give as an object: one of Kubernetes, or something that gives its objects by `toJson()`, as constructs of cdk8s do. */
export type ProgramObject = KubeObject | { toJson(): unknown }

/** What a program may give: objects, lists of them in any depth, or anything that can be iterated. */
export type ProgramOutput =
  | ProgramObject
  | Iterable<ProgramOutput>
  | AsyncIterable<ProgramOutput>
  | Promise<ProgramOutput>
  | { readonly objects: ProgramOutput; readonly notes?: string }
  | null
  | undefined

/** A schema of zod or another library of the Standard Schema specification. */
export interface StandardSchema<Output> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => unknown
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>> & { readonly '~standard'?: never }

/** A program with typed values. */
export interface SourceDefinition<Values> {
  /** What the values have to be: a schema of zod, or a JSON Schema. Defaults are filled in. */
  readonly values?: StandardSchema<Values> | JsonSchema
  render(input: ProgramInput<Values>): ProgramOutput
}

/** Defines the default export of a program, so that its values and what it renders with are typed. */
export function defineSource<Values = Readonly<Record<string, unknown>>>(
  definition: SourceDefinition<Values>,
): SourceDefinition<Values> {
  return definition
}
