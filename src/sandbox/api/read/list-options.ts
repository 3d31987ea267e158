import { forbiddenField, notSupported } from '../../kinds/causes.ts'
import type { Cause } from '../../status-error.ts'
import { switchOf } from '../parameters.ts'
import { refusedOptions } from '../write/write-options.ts'

/** Refuses parameters of a list that contradict each other. */
export function checkListOptions(query: URLSearchParams): void {
  const match = query.get('resourceVersionMatch') ?? ''
  const version = query.get('resourceVersion') ?? ''
  const causes: Cause[] = []
  const forbid = (field: string, why: string): void => void causes.push(forbiddenField(field, why))
  if (match !== '') {
    if (version === '') forbid(matchField, 'resourceVersionMatch is forbidden unless resourceVersion is provided')
    if (continues(query)) forbid(matchField, 'resourceVersionMatch is forbidden when continue is provided')
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      causes.push(notSupported(matchField, match, ['Exact', 'NotOlderThan', '']))
    }
    if (match === 'Exact' && version === '0') {
      forbid(matchField, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')
    }
  }
  if (switchOf(query, 'sendInitialEvents') !== undefined) {
    forbid('sendInitialEvents', 'sendInitialEvents is forbidden for list')
  }
  if (causes.length > 0) throw refusedOptions('ListOptions', causes)
}

/** Refuses parameters of a watch that contradict each other. */
export function checkWatchOptions(query: URLSearchParams): void {
  const version = query.get('resourceVersion') ?? ''
  // Without a version a watch begins with everything, as if that had been asked for.
  const whole = !query.has('sendInitialEvents') && !query.has(matchField) && (version === '' || version === '0')
  const match = whole ? 'NotOlderThan' : (query.get(matchField) ?? '')
  const initial = whole ? true : switchOf(query, 'sendInitialEvents')
  const causes: Cause[] = []
  const forbid = (why: string): void => void causes.push(forbiddenField(matchField, why))
  if (initial !== undefined && match !== 'NotOlderThan') {
    forbid('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')
  }
  if (match !== '') {
    if (initial === undefined)
      forbid('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')
    if (match !== 'NotOlderThan') causes.push(notSupported(matchField, match, ['NotOlderThan']))
    if (continues(query)) forbid('resourceVersionMatch is forbidden when continue is provided')
  }
  if (causes.length > 0) throw refusedOptions('ListOptions', causes)
}

const matchField = 'resourceVersionMatch'

function continues(query: URLSearchParams): boolean {
  return (query.get('continue') ?? '') !== ''
}
