import type { KubeObject } from '../../core/index.ts'
import {
  ageColumn,
  at,
  column,
  type Column,
  containersText,
  itemsAt,
  labelsText,
  nameColumn,
  numberAt,
  sizeAt,
  textAt,
  wide,
} from './column.ts'
import { ageSince } from './human-duration.ts'

/** The table of ConfigMaps. */
export const configMapColumns: readonly Column[] = [
  nameColumn,
  column('Data', (object) => sizeAt(object, 'data') + sizeAt(object, 'binaryData')),
  ageColumn,
]

/** The table of Secrets. */
export const secretColumns: readonly Column[] = [
  nameColumn,
  column('Type', (object) => textAt(object, ['type'])),
  column('Data', (object) => sizeAt(object, 'data')),
  ageColumn,
]

/** The table of Namespaces. */
export const namespaceColumns: readonly Column[] = [
  nameColumn,
  column('Status', (object) => textAt(object, ['status', 'phase'])),
  ageColumn,
]

const info =
  (field: string, otherwise = ''): Column['cell'] =>
  (node) =>
    textAt(node, ['status', 'nodeInfo', field], otherwise)

/** The table of Nodes. */
export const nodeColumns: readonly Column[] = [
  nameColumn,
  column('Status', nodeStatus),
  column('Roles', nodeRoles),
  ageColumn,
  column('Version', info('kubeletVersion')),
  wide('Internal-IP', (node) => nodeAddress(node, 'InternalIP')),
  wide('External-IP', (node) => nodeAddress(node, 'ExternalIP')),
  wide('OS-Image', info('osImage', '<unknown>')),
  wide('Kernel-Version', info('kernelVersion', '<unknown>')),
  wide('Container-Runtime', info('containerRuntimeVersion', '<unknown>')),
]

/** The table of Events, of both groups that serve them. */
export const eventColumns: readonly Column[] = [
  column('Last Seen', lastSeen),
  column('Type', (event) => textAt(event, ['type'])),
  column('Reason', (event) => textAt(event, ['reason'])),
  column('Object', (event) => {
    const involved = at(event, 'involvedObject') ?? at(event, 'regarding')
    const kind = textAt(involved, ['kind']).toLowerCase()
    const name = textAt(involved, ['name'])
    return name === '' ? kind : `${kind}/${name}`
  }),
  wide('Subobject', (event) => textAt(at(event, 'involvedObject') ?? at(event, 'regarding'), ['fieldPath'])),
  wide('Source', eventSource),
  column('Message', (event) => textAt(event, ['message'], textAt(event, ['note'])).trim()),
  wide('First Seen', firstSeen),
  wide('Count', (event) => {
    const count = numberAt(event, ['count'], numberAt(event, ['deprecatedCount']))
    return numberAt(event, ['series', 'count'], count === 0 ? 1 : count)
  }),
  { ...wide('Name', ({ metadata }) => metadata.name), format: 'name' },
]

/** The table of ResourceQuotas. */
export const quotaColumns: readonly Column[] = [
  nameColumn,
  column('Request', (quota) => quotaText(quota, false)),
  column('Limit', (quota) => quotaText(quota, true)),
  ageColumn,
]

/** The table of PodTemplates. */
export const podTemplateColumns: readonly Column[] = [
  nameColumn,
  column('Containers', (object) => containersText(at(object, 'template', 'spec'), 'name')),
  column('Images', (object) => containersText(at(object, 'template', 'spec'), 'image')),
  column('Pod Labels', (object) => labelsText(at(object, 'template', 'metadata', 'labels'))),
]

function nodeStatus(node: KubeObject): string {
  const ready = itemsAt(node, 'status', 'conditions').find((one) => one['type'] === 'Ready')
  const words = ready === undefined ? ['Unknown'] : [ready['status'] === 'True' ? 'Ready' : 'NotReady']
  if (at(node, 'spec', 'unschedulable') === true) words.push('SchedulingDisabled')
  return words.join(',')
}

function nodeRoles(node: KubeObject): string {
  const prefix = 'node-role.kubernetes.io/'
  const roles = Object.entries(node.metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(prefix)) return [key.slice(prefix.length)]
    return key === 'kubernetes.io/role' && value !== '' ? [value] : []
  })
  return roles.length === 0 ? '<none>' : [...new Set(roles)].sort().join(',')
}

function nodeAddress(node: KubeObject, type: string): string {
  const address = itemsAt(node, 'status', 'addresses').find((one) => one['type'] === type)
  return textAt(address, ['address'], '<none>')
}

function firstSeen(event: KubeObject, now: number): string {
  const first = at(event, 'firstTimestamp') ?? at(event, 'deprecatedFirstTimestamp') ?? at(event, 'eventTime')
  return ageSince(first, now)
}

function lastSeen(event: KubeObject, now: number): string {
  const series = at(event, 'series', 'lastObservedTime')
  const last = series ?? at(event, 'lastTimestamp') ?? at(event, 'deprecatedLastTimestamp')
  return last === undefined || last === null ? firstSeen(event, now) : ageSince(last, now)
}

function eventSource(event: KubeObject): string {
  const source = at(event, 'source') ?? at(event, 'deprecatedSource')
  const component = textAt(
    source,
    ['component'],
    textAt(event, ['reportingComponent'], textAt(event, ['reportingController'])),
  )
  const host = textAt(source, ['host'], textAt(event, ['reportingInstance']))
  return host === '' ? component : `${component}, ${host}`
}

function quotaText(quota: KubeObject, limits: boolean): string {
  const hard = at(quota, 'status', 'hard')
  const names = Object.keys((hard ?? {}) as Record<string, unknown>)
    .filter((name) => name.startsWith('limits') === limits)
    .sort()
  return names
    .map((name) => `${name}: ${textAt(quota, ['status', 'used', name], '0')}/${textAt(hard, [name])}`)
    .join(', ')
}
