import type { Values } from '../values/values.ts'

/** One file of a chart; its name is relative to the chart, with slashes. */
export interface ChartFile {
  readonly name: string
  readonly data: Uint8Array
}

/** Who looks after a chart. */
export interface Maintainer {
  readonly name: string
  readonly email: string
  readonly url: string
}

/** A row of `dependencies` in Chart.yaml. */
export interface Dependency {
  readonly name: string
  /** A version or a range; empty where none is asked for. */
  readonly version: string
  readonly repository: string
  readonly condition: string
  readonly tags: readonly string[]
  readonly enabled: boolean
  readonly importValues: readonly unknown[]
  readonly alias: string
}

/** What Chart.yaml says; a field that it does not give is empty. */
export interface ChartMetadata {
  readonly apiVersion: string
  readonly name: string
  readonly version: string
  readonly type: string
  readonly appVersion: string
  readonly kubeVersion: string
  readonly description: string
  readonly home: string
  readonly icon: string
  readonly condition: string
  readonly tags: string
  readonly deprecated: boolean
  readonly sources: readonly string[]
  readonly keywords: readonly string[]
  readonly maintainers: readonly Maintainer[]
  readonly annotations: Readonly<Record<string, string>> | undefined
  readonly dependencies: readonly Dependency[]
}

/** What Chart.lock (or requirements.lock) pins. */
export interface ChartLock {
  readonly generated: string
  readonly digest: string
  readonly dependencies: readonly Dependency[]
}

/** A chart in memory; nothing changes it after it was loaded. */
export interface Chart {
  readonly metadata: ChartMetadata
  readonly lock: ChartLock | undefined
  /** Everything below templates/, whatever it is. */
  readonly templates: readonly ChartFile[]
  /** What templates see as `.Files`: neither templates, nor values, nor subcharts. */
  readonly files: readonly ChartFile[]
  readonly values: Values
  readonly schema: Uint8Array | undefined
  /** Subcharts found below charts/. */
  readonly dependencies: readonly Chart[]
  /** Every file as it was read, values with their comments included. */
  readonly raw: readonly ChartFile[]
  readonly warnings: readonly string[]
}
