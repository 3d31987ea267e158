import type { InputType, InputValue } from './input-value.ts'

/** A repository that a component is fetched from. */
export interface GitSource {
  readonly url: string
  /** Branch or tag; the default branch when absent. */
  readonly ref?: string
  readonly commit?: string
  readonly directory: string
  readonly submodules: boolean
}

/** What a component is built from. */
export type ComponentSource =
  | {
      readonly type: 'inline'
      /** The manifest itself, or the path of a file with it. */
      readonly manifest: string
      /** What the file may name, once the inputs of the component are resolved; the text itself has them filled in already. */
      readonly inputs?: Readonly<Record<string, InputValue>>
    }
  | {
      readonly type: 'kustomize'
      readonly path: string
      readonly patches: readonly string[]
      readonly enableHelm: boolean
      readonly loadRestrictor: 'rootOnly' | 'none'
      /** Absent for a local folder. */
      readonly git?: GitSource
    }
  | {
      readonly type: 'program'
      /** The module, or the folder whose `source.ts` it is. */
      readonly path: string
      /** May name inputs. */
      readonly values: Readonly<Record<string, unknown>>
      /** Absent for a local file. */
      readonly git?: GitSource
    }
  | {
      readonly type: 'oci_artifact'
      readonly url: string
      readonly tag?: string
      readonly digest?: string
      readonly credentialsRef?: string
    }

/** A check of one object, in addition to its readiness. */
export interface ComponentProbe {
  readonly kind: string
  readonly name: string
  readonly type: 'http' | 'command'
  readonly path?: string
  readonly port?: string
  readonly command?: readonly string[]
}

/** Something that is given when a component is built. */
export interface ComponentInput {
  readonly description?: string
  readonly type?: InputType
  readonly default?: InputValue
}

/** A component: what is built into one artifact and deployed as one release. */
export interface Component {
  readonly name: string
  /** May name inputs. */
  readonly namespace: string
  readonly source: ComponentSource
  readonly inputs: Readonly<Record<string, ComponentInput>>
  readonly driftSchedule?: string
  readonly buildTimeoutMs: number
  readonly deployTimeoutMs: number
  readonly maxAutoRetries: number
  readonly dependencies: readonly string[]
  readonly health: {
    readonly enabled: boolean
    readonly stabilizationMs?: number
    readonly probes: readonly ComponentProbe[]
  }
  /** The component file, as errors name it. */
  readonly file: string
  /** The folder that the paths of the file start from. */
  readonly folder: string
}
