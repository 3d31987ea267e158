import { compareText, isRecord, LadingError } from '../core/index.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Deployment, DeploymentStatus, Extensions } from './deployment.ts'

/** Which part of a list to give. */
export interface PageQuery {
  /** Most items of the page (default: all). */
  readonly limit?: number
  /** How many items to pass over. */
  readonly offset?: number
  /** Where the page before ended, as its `next` says; stays right when items come and go. */
  readonly cursor?: string
}

/** Which deployments to list; what is not given matches all. */
export interface DeploymentFilter extends PageQuery {
  /** The namespace that is deployed to, or the one that the adapter's own object is in. */
  readonly namespace?: string
  readonly status?: DeploymentStatus
  readonly labels?: Readonly<Record<string, string>>
  readonly extensions?: Extensions
}

/** A part of a list in a stable order. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** How many items all pages have together. */
  readonly total: number
  /** The cursor of the page that follows; absent on the last one. */
  readonly next?: string
}

/** Whether a deployment is one that the filter asks for. */
export function matchesFilter(deployment: Deployment, filter: DeploymentFilter, homes: readonly string[]): boolean {
  const { namespace, status, labels = {}, extensions = {} } = filter
  return (
    (namespace === undefined || namespace === deployment.namespace || homes.includes(namespace)) &&
    (status === undefined || status === deployment.status) &&
    Object.entries(labels).every(([key, value]) => deployment.labels[key] === value) &&
    Object.entries(extensions).every(([key, value]) => isDeepStrictEqual(deployment.extensions[key], value))
  )
}

/** Cuts a page out of items that are sorted by their id. */
export function pageOf<Item extends { readonly id: string }>(items: readonly Item[], query: PageQuery): Page<Item> {
  const { limit, offset = 0, cursor } = query
  checkCount('limit', limit, 1)
  checkCount('offset', offset, 0)
  if (cursor !== undefined && query.offset !== undefined) {
    throw new LadingError('usage.invalid', 'give a cursor or an offset, not both')
  }
  const start = cursor === undefined ? offset : firstAfter(items, readCursor(cursor))
  const end = limit === undefined ? items.length : Math.min(items.length, start + limit)
  const page = items.slice(start, end)
  const last = page.at(-1)
  return { items: page, total: items.length, next: end < items.length && last ? writeCursor(last.id) : undefined }
}

function checkCount(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return
  throw new LadingError('usage.invalid', `${name} must be a whole number of at least ${least}, not ${value}`)
}

/** The index of the first item behind an id, by binary search: the time of a page does not depend on where it is. */
function firstAfter(items: readonly { readonly id: string }[], id: string): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareText(items[middle]!.id, id) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

function writeCursor(after: string): string {
  return Buffer.from(JSON.stringify({ after })).toString('base64url')
}

function readCursor(cursor: string): string {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (isRecord(value) && typeof value['after'] === 'string') return value['after']
  } catch {
    // Told below.
  }
  throw new LadingError('usage.invalid', 'the cursor is not one that a list gave; start again without a cursor')
}
