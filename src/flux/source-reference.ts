import { isRecord } from '../core/index.ts'
import { type Extensions, invalidRequest } from '../deployment/index.ts'
import { textExtension } from './flux-extensions.ts'
import type { SourceKind } from './flux-kinds.ts'

/** The spec of a Flux object. */
export type Spec = Readonly<Record<string, unknown>>

/** Which sources fit. */
interface SourceRules {
  readonly kinds: readonly SourceKind[]
  readonly defaultKind: SourceKind
  /** The kind that needs the source, as messages name it. */
  readonly owner: string
  readonly namespace: string
}

/** The reference to a source: what the extensions say, over what there was. */
export function sourceReference(before: unknown, extensions: Extensions, rules: SourceRules): Spec {
  const old = isRecord(before) ? before : {}
  const given = textExtension(extensions, 'flux.sourceRef')
  const name = given ?? old['name']
  if (typeof name !== 'string') {
    throw invalidRequest(`flux.sourceRef extension is required for ${rules.owner}`, { field: 'flux.sourceRef' })
  }
  const kind = textExtension(extensions, 'flux.sourceKind') ?? old['kind'] ?? rules.defaultKind
  if (!rules.kinds.some((known) => known === kind)) {
    throw invalidRequest(`flux.sourceKind of a ${rules.owner} must be one of ${rules.kinds.join(', ')}`, {
      field: 'flux.sourceKind',
    })
  }
  const kept = given === undefined ? old['namespace'] : undefined
  const namespace = textExtension(extensions, 'flux.sourceNamespace') ?? kept ?? rules.namespace
  return { kind, name, namespace }
}
