/** Which release something belongs to. */
export interface ReleaseName {
  readonly name: string
  readonly namespace: string
}
