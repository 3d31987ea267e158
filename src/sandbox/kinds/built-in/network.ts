import { isDnsSubdomain, isPortName, isQualifiedName, isRecord, type KubeObject } from '../../../core/index.ts'
import type { Cause } from '../../status-error.ts'
import { partOf } from '../../object-parts.ts'
import { forbiddenField, immutable, invalidValue, notSupported, required } from '../causes.ts'
import type { Check, Family } from '../family.ts'
import { isAddress, isPort } from '../formats.ts'
import { allMetadata } from '../kind-rules.ts'
import { type Part, partsOf, textOf } from '../read.ts'
import { frozen } from './storage.ts'

const checks: Readonly<Record<string, Check>> = {
  'networking.v1.IngressSpec': checkIngress,
  'networking.v1.HTTPIngressPath': checkPath,
  'networking.v1.NetworkPolicyPeer': checkPeer,
  'networking.v1.NetworkPolicyPort': (port, path, causes) => {
    const number = port['port']
    if (number === undefined) return
    const good = typeof number === 'string' ? isPortName(number) : isPort(number)
    if (!good) causes.push(invalidValue(`${path}port`, number, 'must be between 1 and 65535, inclusive'))
  },
  'networking.v1.NetworkPolicySpec': (spec, path, causes) => {
    const types = (spec['policyTypes'] ?? []) as string[]
    types.forEach((type, index) => {
      if (type !== 'Ingress' && type !== 'Egress') {
        causes.push(notSupported(`${path}policyTypes[${index}]`, type, ['Egress', 'Ingress']))
      }
    })
  },
  'networking.v1.IPBlock': (block, path, causes) => {
    const cidr = textOf(block, 'cidr')
    if (cidr !== '' && !isCidr(cidr)) causes.push(invalidValue(`${path}cidr`, cidr, 'must be a valid CIDR value'))
  },
  'core.v1.EndpointAddress': (address, path, causes) => {
    const ip = textOf(address, 'ip')
    if (!isAddress(ip)) causes.push(invalidValue(`${path}ip`, ip, 'must be a valid IP address'))
  },
  'core.v1.EndpointPort': (port, path, causes) => {
    if (!isPort(port['port'])) causes.push(invalidValue(`${path}port`, port['port'], 'must be between 1 and 65535'))
  },
  'discovery.v1.Endpoint': (endpoint, path, causes) => {
    if (((endpoint['addresses'] ?? []) as unknown[]).length === 0) causes.push(required(`${path}addresses`))
  },
}

/** Ingresses, network policies and endpoints. */
export const network: Family = {
  checks,
  kinds: {
    'networking.k8s.io/Ingress': { generation: true },
    'networking.k8s.io/ServiceCIDR': { generation: true, statusKeeps: allMetadata },
    'networking.k8s.io/NetworkPolicy': { generation: true },
    'networking.k8s.io/IngressClass': { generation: true, validate: validateClass },
    'discovery.k8s.io/EndpointSlice': {
      generation: true,
      validate: (slice, old) =>
        frozen(slice, old, ['addressType'], (field, value) => invalidValue(field, value, immutable)),
    },
  },
}

function checkIngress(spec: Part, path: string, causes: Cause[]): void {
  if (partsOf(spec, 'rules').length === 0 && spec['defaultBackend'] === undefined) {
    causes.push(invalidValue(path.slice(0, -1), [], 'either `defaultBackend` or `rules` must be specified'))
  }
  if (isRecord(spec['defaultBackend'])) checkBackend(spec['defaultBackend'], `${path}defaultBackend.`, causes)
  const name = spec['ingressClassName']
  if (typeof name === 'string' && !isDnsSubdomain(name)) {
    causes.push(invalidValue(`${path}ingressClassName`, name, 'must be a DNS subdomain'))
  }
  partsOf(spec, 'rules').forEach((rule, index) => {
    const host = textOf(rule, 'host')
    const at = `${path}rules[${index}].`
    if (host !== '' && (isAddress(host) || !isDnsSubdomain(host.replace(/^\*\./, '')))) {
      causes.push(invalidValue(`${at}host`, host, 'must be a DNS name, not an IP address'))
    }
    if (isRecord(rule['http']) && partsOf(rule['http'], 'paths').length === 0) causes.push(required(`${at}http.paths`))
  })
}

function checkPath(entry: Part, path: string, causes: Cause[]): void {
  const type = entry['pathType']
  const value = textOf(entry, 'path')
  if (type === null || type === undefined) {
    causes.push(required(`${path}pathType`, 'pathType must be specified'))
    return
  }
  checkBackend(partOf(entry, 'backend'), `${path}backend.`, causes)
  if ((type === 'Exact' || type === 'Prefix') && !value.startsWith('/')) {
    causes.push(invalidValue(`${path}path`, value, 'must be an absolute path'))
  }
}

function checkBackend(backend: Part, path: string, causes: Cause[]): void {
  const { service, resource } = backend
  if (isRecord(service)) {
    if (textOf(service, 'name') === '') causes.push(required(`${path}service.name`))
    const port = partOf(service, 'port')
    if (port['name'] === undefined && port['number'] === undefined) {
      causes.push(required(path.slice(0, -1), 'port name or number is required'))
    }
  } else if (resource === undefined)
    causes.push(invalidValue(path.slice(0, -1), '', 'resource or service backend is required'))
}

function checkPeer(peer: Part, path: string, causes: Cause[]): void {
  const at = path.slice(0, -1)
  const selects = peer['podSelector'] !== undefined || peer['namespaceSelector'] !== undefined
  if (!selects && peer['ipBlock'] === undefined) causes.push(required(at, 'must specify a peer'))
  if (selects && peer['ipBlock'] !== undefined)
    causes.push(forbiddenField(at, 'may not specify both ipBlock and another peer'))
}

function validateClass(object: KubeObject, old: KubeObject | undefined): Cause[] {
  const controller = textOf(partOf(object, 'spec'), 'controller')
  const good =
    controller.length <= 250 && controller.includes('/') && isQualifiedName(controller.replace(/\/.*$/, '/x'))
  return [
    ...(good
      ? []
      : [invalidValue('spec.controller', controller, 'must be a domain-prefixed path (such as "acme.io/foo")')]),
    ...frozen(partOf(object, 'spec'), old && partOf(old, 'spec'), ['controller'], (field, value) =>
      invalidValue(`spec.${field}`, value, immutable),
    ),
  ]
}

function isCidr(text: string): boolean {
  const [address = '', bits = ''] = text.split('/')
  return isAddress(address) && /^\d{1,3}$/.test(bits) && Number(bits) <= (address.includes(':') ? 128 : 32)
}
