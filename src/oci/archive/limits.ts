/** What an archive may hold at most; everything of it is kept in memory. */
export interface ArchiveLimits {
  /** Bytes of the archive as it comes, compressed or not. */
  readonly packedBytes: number
  /** Bytes of the archive after decompression. */
  readonly totalBytes: number
  /** Bytes of one file. */
  readonly entryBytes: number
  /** Entries, folders and extended headers included. */
  readonly entries: number
  /** Bytes of one name. */
  readonly nameBytes: number
  /** How many times larger than itself an archive may become; the first 16 MiB are free, repetitive YAML packs well. */
  readonly ratio: number
}

/** Far above what a delivery holds, far below what a process cannot bear. */
export const defaultArchiveLimits: ArchiveLimits = {
  packedBytes: 128 * 1024 * 1024,
  totalBytes: 256 * 1024 * 1024,
  entryBytes: 128 * 1024 * 1024,
  entries: 20_000,
  nameBytes: 1024,
  ratio: 200,
}
