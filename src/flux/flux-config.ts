/** How the Flux adapter works; every field has a default. */
export interface FluxConfig {
  /** Where HelmReleases and Kustomizations are managed (default: flux-system). */
  readonly namespace?: string
  /** Where their sources are (default: flux-system). */
  readonly sourceNamespace?: string
  /** Limit of one reconciliation, as `spec.timeout` (default: 10m). */
  readonly reconcileTimeout?: string
  /** How often Flux reconciles new objects (default: 5m). */
  readonly interval?: string
  /** Create new objects suspended (default: false). */
  readonly suspend?: boolean
  /** Let new Kustomizations delete what left their source (default: true). */
  readonly prune?: boolean
  /** Let new objects be recreated where a change is refused (default: false). */
  readonly force?: boolean
  /** Where deployments go that name no namespace (default: default). */
  readonly targetNamespace?: string
}

/** The configuration with its defaults. */
export type FluxSettings = Required<FluxConfig>

/** Fills in the defaults. */
export function fluxSettings(config: FluxConfig): FluxSettings {
  return {
    namespace: config.namespace ?? 'flux-system',
    sourceNamespace: config.sourceNamespace ?? 'flux-system',
    reconcileTimeout: config.reconcileTimeout ?? '10m',
    interval: config.interval ?? '5m',
    suspend: config.suspend ?? false,
    prune: config.prune ?? true,
    force: config.force ?? false,
    targetNamespace: config.targetNamespace ?? 'default',
  }
}
