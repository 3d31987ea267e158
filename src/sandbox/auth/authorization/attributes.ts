/** What the authorizer decides on. */
export interface Attributes {
  readonly verb: string
  readonly path: string
  /** Undefined for paths that name no resource. */
  readonly resource?: ResourceAttributes
}

/** The resource that a request is for. */
export interface ResourceAttributes {
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}
