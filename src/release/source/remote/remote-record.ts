import { createHash } from 'node:crypto'
import { LadingError } from '../../../core/index.ts'
import type { RemoteRecord } from '../../../render/kustomize/index.ts'

/** Refuses what an earlier build fetched from the same address with other content. */
export function checkExpected(record: RemoteRecord, expected: readonly RemoteRecord[]): void {
  const before = expected.find((each) => identity(each) === identity(record))
  if (before === undefined || pinOf(before) === pinOf(record)) return
  const problem = `${describeRemote(record)}, but an earlier build had ${pinOf(before)}: what it refers to was changed since`
  throw new LadingError('kustomize.refused', problem, { record, expected: before })
}

function identity(record: RemoteRecord): string {
  switch (record.type) {
    case 'git':
      return `git ${record.url} ${record.ref}`
    case 'file':
      return `file ${record.url}`
    case 'chart':
      return `chart ${record.url} ${record.name} ${record.version}`
  }
}

function pinOf(record: RemoteRecord): string {
  return record.type === 'git' ? record.commit : record.digest
}

/** A sentence on what was fetched. */
export function describeRemote(record: RemoteRecord): string {
  const what = record.type === 'chart' ? `${record.name} ${record.version} of ${record.url}` : record.url
  return `${what}${record.type === 'git' && record.ref !== '' ? ` at ${record.ref}` : ''} is ${pinOf(record)}`
}

/** The digest of some content. */
export function digestOf(content: Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}
