/** What a chart may cost to read; Helm has the first two, with the same defaults. */
export interface ChartLimits {
  /** Bytes of all files together, unpacked, subcharts in archives included (default: 100 MiB). */
  readonly maxBytes?: number
  /** Bytes of one file (default: 5 MiB). */
  readonly maxFileBytes?: number
  /** Files and folders (default: 20,000). */
  readonly maxEntries?: number
  /** Charts within charts (default: 16). */
  readonly maxDepth?: number
}

/** What is left of the limits while a chart and what is nested in it are read. */
export interface ChartBudget {
  bytes: number
  entries: number
  readonly maxBytes: number
  readonly maxFileBytes: number
  readonly maxEntries: number
  readonly maxDepth: number
}

/** A budget with nothing spent yet. */
export function newBudget(limits: ChartLimits = {}): ChartBudget {
  return {
    bytes: 0,
    entries: 0,
    maxBytes: limits.maxBytes ?? 100 * 1024 * 1024,
    maxFileBytes: limits.maxFileBytes ?? 5 * 1024 * 1024,
    maxEntries: limits.maxEntries ?? 20_000,
    maxDepth: limits.maxDepth ?? 16,
  }
}
