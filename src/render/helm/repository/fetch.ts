/** Certificates of one repository, as PEM. */
export interface FetchTls {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  /** Takes any certificate. */
  readonly insecure?: boolean
}

/** What a request carries, and what it may cost. */
export interface FetchOptions {
  /** `authorization` must never follow a redirect to another scheme, host or port. */
  readonly headers?: Readonly<Record<string, string>>
  /** The most bytes of the answer. */
  readonly limit: number
  readonly signal: AbortSignal
  readonly tls?: FetchTls
  /** Who named the address; a host of the internet must not name one of a private network. */
  readonly namedBy?: string
  /** Sent by POST; without it the request is a GET. */
  readonly body?: Uint8Array
  /** Told where a redirect leads before it is followed; what it throws ends the request. */
  readonly onRedirect?: (url: string) => void
}

/** How repositories are reached: the room of charts has no network of its own. */
export type Fetch = (url: string, options: FetchOptions) => Promise<Uint8Array>
