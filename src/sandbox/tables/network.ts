import type { KubeObject } from '../../core/index.ts'
import { isRecord } from '../../core/index.ts'
import {
  ageColumn,
  at,
  column,
  type Column,
  firstThree,
  itemsAt,
  labelsText,
  nameColumn,
  numberAt,
  selectorText,
  sizeAt,
  textAt,
  textsAt,
  wide,
} from './column.ts'

/** The table of Services. */
export const serviceColumns: readonly Column[] = [
  nameColumn,
  column('Type', (service) => textAt(service, ['spec', 'type'])),
  column('Cluster-IP', (service) => textsAt(service, 'spec', 'clusterIPs')[0] ?? '<none>'),
  column('External-IP', externalIp),
  column('Port(s)', (service) => {
    const ports = itemsAt(service, 'spec', 'ports').map((port) => {
      const node = numberAt(port, ['nodePort'])
      return `${numberAt(port, ['port'])}${node === 0 ? '' : `:${node}`}/${textAt(port, ['protocol'])}`
    })
    return ports.length === 0 ? '<none>' : ports.join(',')
  }),
  ageColumn,
  wide('Selector', (service) => labelsText(at(service, 'spec', 'selector'))),
]

/** The table of Ingresses. */
export const ingressColumns: readonly Column[] = [
  nameColumn,
  column('Class', (ingress) => textAt(ingress, ['spec', 'ingressClassName'], '<none>')),
  column('Hosts', (ingress) => {
    const hosts = itemsAt(ingress, 'spec', 'rules').flatMap((rule) => textAt(rule, ['host']) || [])
    return hosts.length === 0 ? '*' : firstThree(hosts)
  }),
  column('Address', (ingress) => balancerAddresses(ingress).join(',')),
  column('Ports', (ingress) => (itemsAt(ingress, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
  ageColumn,
]

/** The table of IngressClasses. */
export const ingressClassColumns: readonly Column[] = [
  nameColumn,
  column('Controller', (object) => textAt(object, ['spec', 'controller'])),
  column('Parameters', (object) => {
    const parameters = at(object, 'spec', 'parameters')
    if (!isRecord(parameters)) return '<none>'
    const group = textAt(parameters, ['apiGroup'])
    return `${textAt(parameters, ['kind'])}${group === '' ? '' : `.${group}`}/${textAt(parameters, ['name'])}`
  }),
  ageColumn,
]

/** The table of NetworkPolicies. */
export const networkPolicyColumns: readonly Column[] = [
  nameColumn,
  column('Pod-Selector', (object) => selectorText(at(object, 'spec', 'podSelector'))),
  ageColumn,
]

/** The table of EndpointSlices. */
export const endpointSliceColumns: readonly Column[] = [
  nameColumn,
  column('AddressType', (slice) => textAt(slice, ['addressType'])),
  column('Ports', (slice) => {
    const ports = itemsAt(slice, 'ports').map((port) =>
      typeof port['port'] === 'number' ? String(port['port']) : textAt(port, ['name'], '*'),
    )
    return ports.length === 0 ? '<unset>' : firstThree(ports)
  }),
  column('Endpoints', (slice) => {
    const addresses = itemsAt(slice, 'endpoints').flatMap((endpoint) => textsAt(endpoint, 'addresses'))
    return addresses.length === 0 ? '<unset>' : firstThree(addresses)
  }),
  ageColumn,
]

/** The table of Endpoints. */
export const endpointsColumns: readonly Column[] = [
  nameColumn,
  column('Endpoints', (object) => {
    const all = itemsAt(object, 'subsets').flatMap((subset) => {
      const ports = itemsAt(subset, 'ports').map((port) => `:${numberAt(port, ['port'])}`)
      const addresses = itemsAt(subset, 'addresses').map((address) => textAt(address, ['ip']))
      return (ports.length === 0 ? [''] : ports).flatMap((port) => addresses.map((address) => `${address}${port}`))
    })
    return sizeAt(object, 'subsets') === 0 ? '<none>' : firstThree(all)
  }),
  ageColumn,
]

function externalIp(service: KubeObject): string {
  const external = textsAt(service, 'spec', 'externalIPs')
  switch (textAt(service, ['spec', 'type'])) {
    case 'ExternalName':
      return textAt(service, ['spec', 'externalName'])
    case 'LoadBalancer': {
      const all = [...balancerAddresses(service), ...external]
      return all.length === 0 ? '<pending>' : all.join(',')
    }
    default:
      return external.length === 0 ? '<none>' : external.join(',')
  }
}

function balancerAddresses(object: KubeObject): string[] {
  const ingress = itemsAt(object, 'status', 'loadBalancer', 'ingress')
  return [...new Set(ingress.flatMap((one) => textAt(one, ['ip'], textAt(one, ['hostname'])) || []))].sort()
}
