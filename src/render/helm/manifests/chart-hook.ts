import { stringifyJson } from '../../../core/index.ts'
import type { Manifest } from './sort-manifests.ts'

/** When a hook runs. */
export type ChartHookEvent =
  | 'pre-install'
  | 'post-install'
  | 'pre-delete'
  | 'post-delete'
  | 'pre-upgrade'
  | 'post-upgrade'
  | 'pre-rollback'
  | 'post-rollback'
  | 'test'

/** A document with `helm.sh/hook`, which is not part of the release's own objects. */
export interface ChartHook {
  readonly name: string
  readonly kind: string
  readonly path: string
  readonly text: string
  readonly events: readonly ChartHookEvent[]
  readonly weight: number
  readonly deletePolicies: readonly string[]
  readonly outputLogPolicies: readonly string[]
  /** The document's value. */
  readonly value: unknown
}

const events: ReadonlyMap<string, ChartHookEvent> = new Map<string, ChartHookEvent>([
  ['pre-install', 'pre-install'],
  ['post-install', 'post-install'],
  ['pre-delete', 'pre-delete'],
  ['post-delete', 'post-delete'],
  ['pre-upgrade', 'pre-upgrade'],
  ['post-upgrade', 'post-upgrade'],
  ['pre-rollback', 'pre-rollback'],
  ['post-rollback', 'post-rollback'],
  ['test', 'test'],
  // Of Helm 2.
  ['test-success', 'test'],
])

/** The hook that a document is; none where one of its events is unknown, as Helm drops such documents. */
export function hookOf({ path, text, head }: Manifest, warn: (message: string) => void): ChartHook[] {
  const annotation = head.annotations['helm.sh/hook'] ?? ''
  const names = annotation.split(',').map(clean)
  const known = names.flatMap((name) => events.get(name) ?? [])
  if (known.length !== names.length) {
    warn(`skipping unknown hooks ${stringifyJson(annotation)} in ${path}`)
    return []
  }
  return [
    {
      name: head.name,
      kind: head.kind,
      path,
      text,
      events: known,
      weight: weightOf(head.annotations['helm.sh/hook-weight']),
      deletePolicies: listOf(head.annotations['helm.sh/hook-delete-policy']),
      outputLogPolicies: listOf(head.annotations['helm.sh/hook-output-log-policy']),
      value: head.document.value,
    },
  ]
}

// Go's Atoi: anything else counts as 0.
function weightOf(text: string | undefined): number {
  return text !== undefined && /^[-+]?[0-9]+$/.test(text) ? Number(text) : 0
}

function listOf(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(',').map(clean)
}

function clean(text: string): string {
  return text.trim().toLowerCase()
}
