import { isRecord, type KubeObject, stringifyJson } from '../../../core/index.ts'
import type { ResourceType } from '../../resource-type.ts'
import { badRequest } from '../../status-error.ts'

/** Refuses a field that objects of the type cannot be selected by, as the API server does. */
export function checkFieldLabel(type: ResourceType, label: string): void {
  const known = knownLabels[`${type.group}/${type.resource}`]
  if (known === undefined) {
    const all = ['metadata.name', 'metadata.namespace', ...customLabels(type)]
    if (all.includes(label)) return
    const names = all.map((name) => stringifyJson(name)).join(', ')
    throw badRequest(`${stringifyJson(label)} is not a known field selector: only ${names}`)
  }
  const everywhere = type.namespaced ? ['metadata.name', 'metadata.namespace'] : ['metadata.name']
  if (!known.includes(label) && !everywhere.includes(label)) throw badRequest(`field label not supported: ${label}`)
}

/** What a field selector sees under a label: a text, `false` where a switch was never set. */
export function fieldLabelValue(object: KubeObject, label: string): string {
  let at: unknown = object
  for (const step of (aliases[label] ?? label).split('.')) at = isRecord(at) ? at[step] : undefined
  if (at === undefined || at === null) return switches.has(label) ? 'false' : ''
  return typeof at === 'string' ? at : stringifyJson(at)
}

const referred = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']

/** The labels of kinds that have more than a name. */
const knownLabels: Readonly<Record<string, readonly string[]>> = {
  '/pods': [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  '/nodes': ['spec.unschedulable'],
  '/replicationcontrollers': ['status.replicas'],
  '/events': [...referred.map((field) => `involvedObject.${field}`), 'reason', 'reportingComponent', 'source', 'type'],
  'events.k8s.io/events': [...referred.map((field) => `regarding.${field}`), 'reason', 'reportingController', 'type'],
  '/namespaces': ['status.phase'],
  '/secrets': ['type'],
  '/services': ['spec.clusterIP', 'spec.type'],
  'batch/jobs': ['status.successful'],
  'certificates.k8s.io/certificatesigningrequests': ['spec.signerName'],
}

const aliases: Readonly<Record<string, string>> = {
  source: 'source.component',
  'status.successful': 'status.succeeded',
}
const switches: ReadonlySet<string> = new Set(['spec.unschedulable', 'spec.hostNetwork'])

function customLabels(type: ResourceType): string[] {
  const spec = isRecord(type.crd?.['spec']) ? type.crd['spec'] : {}
  const versions: unknown[] = Array.isArray(spec['versions']) ? spec['versions'] : []
  const own = versions.find((version) => isRecord(version) && version['name'] === type.version)
  const fields: unknown[] = isRecord(own) && Array.isArray(own['selectableFields']) ? own['selectableFields'] : []
  return fields.flatMap((field) => (isRecord(field) ? [String(field['jsonPath']).replace(/^\./, '')] : []))
}
