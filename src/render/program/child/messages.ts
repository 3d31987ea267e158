/** What a child process is told to render; data alone. */
export interface ProgramOrder {
  /** What the thread of the program starts with, as an address. */
  readonly worker: string
  /** The module, by its real path. */
  readonly file: string
  readonly values: Readonly<Record<string, unknown>>
  readonly release: Readonly<Record<string, unknown>>
  readonly capabilities: Readonly<Record<string, unknown>>
  /** 32 bytes in hexadecimal that everything random is drawn from; without them what is drawn is refused. */
  readonly key: string
  /** Whether the output has to be the same on every machine and at any time: functions of `node:crypto` that draw are refused. */
  readonly reproducible: boolean
  /** The time that the program sees, in ISO 8601. */
  readonly renderedAt: string
  readonly allowNet: boolean
  readonly env: Readonly<Record<string, string>>
  /** Flags of Node that say what the program may do. */
  readonly flags: readonly string[]
  /** What `lading/program` is, and where packages are looked for that the program does not have itself. */
  readonly modules: { readonly door: string; readonly packages: string }
  readonly limits: ProgramLimits
}

/** What a program may use up. */
export interface ProgramLimits {
  readonly timeMs: number
  readonly memoryMb: number
  /** Of what it prints. */
  readonly logBytes: number
  /** Of what it renders to. */
  readonly outputBytes: number
}

/** A failure in the program, as data. */
export interface ProgramFailure {
  readonly name: string
  readonly message: string
  readonly stack?: string
  /** Node's code, such as ERR_ACCESS_DENIED. */
  readonly code?: string
  /** What was denied, in Node's words, and of what. */
  readonly permission?: string
  readonly resource?: string
}

/** A value that does not fit the schema. */
export interface ValueIssue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** One part of what a program gave: a plain value, or YAML. */
export type ProgramPiece = { readonly value: unknown } | { readonly yaml: string }

/** What a program came to. */
export interface ProgramResult {
  readonly pieces: readonly ProgramPiece[]
  readonly notes?: string
  /** The values that it was rendered with, defaults included. */
  readonly values: Readonly<Record<string, unknown>>
  readonly drewRandom: boolean
  readonly readClock: boolean
  /** Real paths of the modules that were loaded and the files that were read. */
  readonly files: readonly string[]
}

/** What the child process tells. Answers are JSON text, so that nothing but plain data comes out of it. */
export type ProgramMessage =
  | { readonly type: 'log'; readonly level: 'info' | 'warn'; readonly text: string }
  | { readonly type: 'schema'; readonly text: string }
  | { readonly type: 'result'; readonly text: string }
  | { readonly type: 'issues'; readonly text: string }
  | { readonly type: 'failure'; readonly failure: ProgramFailure }
  | { readonly type: 'limit'; readonly problem: string }
  | { readonly type: 'exit'; readonly code: number }

/** What the child process is answered to a schema. */
export interface CheckedValues {
  readonly values: Readonly<Record<string, unknown>>
}
