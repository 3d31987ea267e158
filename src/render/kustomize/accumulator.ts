import { LadingError } from '../../core/index.ts'
import { emptyConfig, mergeConfigs, type TransformerConfig } from './config/transformer-config.ts'
import type { InflateChart } from './generate/chart-request.ts'
import type { Var } from './load/arguments.ts'
import type { LoadSettings } from './load/loader.ts'
import type { SchemaLookup } from './merge/merge-schema.ts'
import { ResMap } from './resource/res-map.ts'

/** What one build shares among all of its kustomizations. */
export interface Build {
  readonly settings: LoadSettings
  readonly enableHelm: boolean
  readonly inflateChart: InflateChart | undefined
  readonly defaults: TransformerConfig
  /** The types by which patches merge lists; a kustomization's `openapi` field may set others. */
  schema: { readonly lookup: SchemaLookup; readonly isCustom: boolean }
  /** How many kustomizations the build has entered: components that name others twice would double it at each level. */
  entered: number
  /** Whether origins are tracked, because the first kustomization asks for build metadata. */
  readonly tracksOrigin: boolean
}

/** The resources gathered so far, and the rules that came with them. */
export class Accumulator {
  readonly resources = new ResMap()
  config: TransformerConfig = emptyConfig
  readonly vars = new Map<string, Var>()

  mergeConfig(config: TransformerConfig): void {
    this.config = mergeConfigs(this.config, config)
  }

  addVars(vars: Iterable<Var>): void {
    for (const each of vars) {
      if (this.vars.has(each.name)) {
        throw new LadingError('kustomize.invalid', `var '${each.name}' already encountered`, { field: 'vars' })
      }
      this.vars.set(each.name, each)
    }
  }

  merge(other: Accumulator): void {
    this.resources.appendAll(other.resources.resources)
    this.mergeConfig(other.config)
    this.addVars(other.vars.values())
  }
}
