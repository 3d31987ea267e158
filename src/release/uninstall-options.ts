/** How a release is uninstalled. */
export interface UninstallOptions {
  /** Keep the revisions, the last one marked as uninstalled. */
  readonly keepHistory?: boolean
  /** Wait until everything is gone (default: true). */
  readonly wait?: boolean
  readonly noHooks?: boolean
  /** Limit of the whole operation (default: five minutes). */
  readonly timeoutMs?: number
  readonly description?: string
  /** Delete CRDs although custom resources that the release does not own go with them. */
  readonly deleteCustomResources?: boolean
  /** The revision that must still be the latest: another one is refused with `release.changed`. */
  readonly revision?: number
}
