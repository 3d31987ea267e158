import { compareText, type Context, type LabelMatch, LadingError, parseLabelSelector } from '../../core/index.ts'
import { fillSummaries } from './fill-summaries.ts'
import type { ReleaseStatus } from './record.ts'
import type { ReleaseStore, RevisionSummary } from '../storage/release-store.ts'

/** Which releases to list. */
export interface ListOptions {
  /** All namespaces when absent. */
  readonly namespace?: string
  /** Only releases whose latest revision has one of these; an unreadable one is `unknown`. */
  readonly statuses?: readonly (ReleaseStatus | 'unknown')[]
  /** Part of the name, or with `*` and `?` a pattern for all of it. No regular expression: those can be made to run for ever. */
  readonly filter?: string
  /** Labels of the release, as kubectl selects: `a=b`, `a!=b`, `a in (b,c)`, `a`, `!a`, with commas between them. */
  readonly selector?: string
  /** Every revision instead of the latest of each release. */
  readonly allRevisions?: boolean
}

/** Lists releases by namespace and name; payloads are read only of what does not show its source without. */
export async function list(store: ReleaseStore, options: ListOptions, ctx: Context): Promise<RevisionSummary[]> {
  const selects = readSelector(options.selector ?? '')
  const revisions = await store.list(options.namespace, ctx)
  const chosen = options.allRevisions === true ? [...revisions] : latestOf(revisions)
  const wanted = chosen
    .filter(({ status }) => options.statuses === undefined || options.statuses.includes(status))
    .filter(({ name }) => options.filter === undefined || matchesName(name, options.filter))
    .filter(({ labels }) => selects(labels ?? {}))
    .sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name) || a.version - b.version)
  return await fillSummaries(store, wanted, ctx)
}

function readSelector(text: string): LabelMatch {
  const match = parseLabelSelector(text)
  if (typeof match === 'function') return match
  const message = `${text} is no selector: write key=value, key!=value, key in (a,b), key or !key`
  throw new LadingError('usage.invalid', message, { text })
}

function latestOf(revisions: readonly RevisionSummary[]): RevisionSummary[] {
  const latest = new Map<string, RevisionSummary>()
  for (const revision of revisions) {
    const key = `${revision.namespace}/${revision.name}`
    if ((latest.get(key)?.version ?? 0) <= revision.version) latest.set(key, revision)
  }
  return [...latest.values()]
}

/** Whether a name fits a filter; takes time in proportion to the product of their lengths at most. */
export function matchesName(name: string, filter: string): boolean {
  if (!/[*?]/.test(filter)) return name.includes(filter)
  let [at, from] = [0, 0]
  let [star, resume] = [-1, 0]
  while (at < name.length) {
    const sign = filter[from]
    if (sign === '*') {
      star = from
      resume = at
      from += 1
    } else if (sign === '?' || sign === name[at]) {
      at += 1
      from += 1
    } else if (star >= 0) {
      // The last star takes one character more.
      resume += 1
      at = resume
      from = star + 1
    } else {
      return false
    }
  }
  return /^\**$/.test(filter.slice(from))
}
