import type { ObjectStatusName } from '../../core/index.ts'

/** How far one object is, and why. */
export interface ObjectStatus {
  readonly status: ObjectStatusName
  /** For people, one sentence. */
  readonly message: string
  /** One CamelCase word for programs, where there is one to give. */
  readonly reason?: string
}

/** The object is what its spec asks for. */
export function current(message: string): ObjectStatus {
  return { status: 'Current', message }
}

/** The object is on its way, or its controller has not looked yet. */
export function inProgress(reason: string, message: string): ObjectStatus {
  return { status: 'InProgress', reason, message }
}

/** The object will not become what its spec asks for without somebody's help. */
export function failed(reason: string, message: string): ObjectStatus {
  return { status: 'Failed', reason, message }
}
