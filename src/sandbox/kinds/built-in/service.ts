import { isDnsLabel, isPortName, isQualifiedName, type KubeObject, stringifyJson } from '../../../core/index.ts'
import type { Cause } from '../../status-error.ts'
import { partOf } from '../../object-parts.ts'
import { duplicate, invalidValue, notSupported, required } from '../causes.ts'
import type { Family } from '../family.ts'
import { isAddress, isPort } from '../formats.ts'
import type { RuleEnv } from '../kind-rules.ts'
import { ensurePart, fill, numberOf, type Part, partsOf, textOf } from '../read.ts'
import { allocationCauses, freeClusterIp, freeNodePort } from './service-allocation.ts'

/** Services: addresses and node ports are given out once and kept. */
export const services: Family = {
  defaults: { 'core.v1.Service': complete },
  kinds: {
    '/Service': {
      prepareCreate: (service, env) => allocate(service, env),
      prepareUpdate: (service, old, env) => {
        keepAllocated(service, old)
        dropUnneeded(service, old)
        allocate(service, env)
      },
      validate,
    },
  },
}

function complete(service: Part): void {
  const spec = ensurePart(service, 'spec')
  fill(spec, { sessionAffinity: 'None', type: 'ClusterIP' })
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig']
  if (spec['sessionAffinity'] === 'ClientIP') {
    fill(ensurePart(ensurePart(spec, 'sessionAffinityConfig'), 'clientIP'), { timeoutSeconds: 10_800 })
  }
  for (const port of partsOf(spec, 'ports')) {
    fill(port, { protocol: 'TCP' })
    if (port['targetPort'] === 0 || port['targetPort'] === '') port['targetPort'] = port['port']
  }
  if (usesNodePorts(spec)) fill(spec, { externalTrafficPolicy: 'Cluster' })
  if (needsClusterIp(spec)) fill(spec, { internalTrafficPolicy: 'Cluster' })
  if (spec['type'] === 'LoadBalancer') fill(spec, { allocateLoadBalancerNodePorts: true })
}

function needsClusterIp(spec: Part): boolean {
  return ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(textOf(spec, 'type'))
}

function usesNodePorts(spec: Part): boolean {
  return spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer'
}

function needsNodePorts(spec: Part): boolean {
  return spec['type'] === 'NodePort' || (spec['type'] === 'LoadBalancer' && allocatesPorts(spec))
}

function allocatesPorts(spec: Part): boolean {
  return spec['allocateLoadBalancerNodePorts'] !== false
}

function needsHealthPort(spec: Part): boolean {
  return spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local'
}

/** An update that says nothing of what was given out leaves it as it is. */
function keepAllocated(service: KubeObject, old: KubeObject): void {
  const spec = partOf(service, 'spec')
  const before = partOf(old, 'spec')
  if (needsClusterIp(before) && needsClusterIp(spec)) {
    if (spec['clusterIP'] === undefined && spec['clusterIPs'] === undefined && before['clusterIP'] !== undefined) {
      spec['clusterIP'] = before['clusterIP']
      spec['clusterIPs'] = before['clusterIPs']
    }
    fill(spec, pick(before, ['ipFamilies', 'ipFamilyPolicy']))
  }
  if (usesNodePorts(before) && usesNodePorts(spec)) keepNodePorts(spec, before)
  if (needsHealthPort(before) && needsHealthPort(spec)) fill(spec, pick(before, ['healthCheckNodePort']))
}

function keepNodePorts(spec: Part, before: Part): void {
  const used = new Set(partsOf(spec, 'ports').map((port) => numberOf(port, 'nodePort')))
  for (const port of partsOf(spec, 'ports')) {
    if (port['nodePort'] !== undefined) continue
    const same = partsOf(before, 'ports').find(
      (one) => one['port'] === port['port'] && one['protocol'] === port['protocol'],
    )
    const number = numberOf(same, 'nodePort')
    if (number === undefined || used.has(number)) continue
    port['nodePort'] = number
    used.add(number)
  }
}

/** What the new type of a service has no use for goes, unless the update changed it too. */
function dropUnneeded(service: KubeObject, old: KubeObject): void {
  const spec = partOf(service, 'spec')
  const before = partOf(old, 'spec')
  if (needsClusterIp(before) && !needsClusterIp(spec)) {
    for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy'])
      dropSame(spec, before, field)
  }
  if (needsNodePorts(before) && !needsNodePorts(spec)) {
    const known = partsOf(before, 'ports').map((port) => port['nodePort'])
    for (const port of partsOf(spec, 'ports')) if (known.includes(port['nodePort'])) delete port['nodePort']
  }
  if (needsHealthPort(before) && !needsHealthPort(spec)) dropSame(spec, before, 'healthCheckNodePort')
  if (before['type'] === 'LoadBalancer' && spec['type'] !== 'LoadBalancer') {
    dropSame(spec, before, 'allocateLoadBalancerNodePorts')
    dropSame(spec, before, 'loadBalancerClass')
  }
  if (usesNodePorts(before) && !usesNodePorts(spec)) dropSame(spec, before, 'externalTrafficPolicy')
  if (spec['type'] !== 'LoadBalancer') service['status'] = { loadBalancer: {} }
}

function dropSame(spec: Part, before: Part, field: string): void {
  if (stringifyJson(spec[field]) === stringifyJson(before[field])) delete spec[field]
}

function allocate(service: KubeObject, env: RuleEnv): void {
  const spec = partOf(service, 'spec')
  if (!needsClusterIp(spec)) return
  if (spec['clusterIP'] === undefined) spec['clusterIP'] = (spec['clusterIPs'] as string[] | undefined)?.[0]
  spec['clusterIP'] ??= freeClusterIp(service, env)
  fill(spec, { clusterIPs: [spec['clusterIP']] })
  const unselected = spec['clusterIP'] === 'None' && spec['selector'] === undefined
  fill(spec, { ipFamilyPolicy: unselected ? 'RequireDualStack' : 'SingleStack' })
  fill(spec, { ipFamilies: unselected && spec['ipFamilyPolicy'] !== 'SingleStack' ? ['IPv4', 'IPv6'] : ['IPv4'] })
  if (needsNodePorts(spec)) {
    const taken = new Map<number, unknown>()
    for (const port of partsOf(spec, 'ports')) {
      const number = numberOf(port, 'nodePort')
      if (number !== undefined) taken.set(number, port['protocol'])
    }
    for (const port of partsOf(spec, 'ports')) {
      if (port['nodePort'] === undefined) port['nodePort'] = freeNodePort(service, env, taken)
    }
  }
  if (needsHealthPort(spec)) fill(spec, { healthCheckNodePort: freeNodePort(service, env, new Map()) })
}

function validate(service: KubeObject, old: KubeObject | undefined, env: RuleEnv): Cause[] {
  const spec = partOf(service, 'spec')
  const causes: Cause[] = []
  if (old !== undefined) causes.push(...validateChange(spec, partOf(old, 'spec')))
  const ports = partsOf(spec, 'ports')
  if (spec['type'] === 'ExternalName') {
    if (textOf(spec, 'externalName') === '') causes.push(required('spec.externalName'))
  } else if (ports.length === 0 && spec['clusterIP'] !== 'None') causes.push(required('spec.ports'))
  if (!['None', 'ClientIP'].includes(textOf(spec, 'sessionAffinity'))) {
    causes.push(notSupported('spec.sessionAffinity', spec['sessionAffinity'], ['ClientIP', 'None']))
  }
  for (const key of Object.keys(partOf(spec, 'selector'))) {
    if (!isQualifiedName(key)) causes.push(invalidValue('spec.selector', key, 'must be a qualified name'))
  }
  causes.push(...validatePorts(ports), ...validateAddress(spec))
  // Only what is right otherwise is given anything.
  return causes.length > 0 ? causes : allocationCauses(service, old, env)
}

function validateChange(spec: Part, before: Part): Cause[] {
  const stays = needsClusterIp(spec) && needsClusterIp(before) && before['clusterIP'] !== undefined
  if (!stays || spec['clusterIP'] === before['clusterIP']) return []
  return [invalidValue('spec.clusterIPs[0]', spec['clusterIPs'], 'may not change once set')]
}

function validatePorts(ports: readonly Part[]): Cause[] {
  const causes: Cause[] = []
  const names = new Set<string>()
  const numbers = new Set<string>()
  ports.forEach((port, index) => {
    const path = `spec.ports[${index}]`
    const name = textOf(port, 'name')
    if (name === '' && ports.length > 1) causes.push(required(`${path}.name`))
    else if (name !== '' && !isDnsLabel(name)) causes.push(invalidValue(`${path}.name`, name, 'must be a DNS label'))
    else if (name !== '' && names.has(name)) causes.push(duplicate(`${path}.name`, name))
    names.add(name)
    if (!isPort(port['port'])) causes.push(invalidValue(`${path}.port`, port['port'], portMessage))
    if (!['TCP', 'UDP', 'SCTP'].includes(textOf(port, 'protocol'))) {
      causes.push(notSupported(`${path}.protocol`, port['protocol'], ['SCTP', 'TCP', 'UDP']))
    }
    const target = port['targetPort']
    const good = typeof target === 'string' ? isPortName(target) : isPort(target)
    if (!good) causes.push(invalidValue(`${path}.targetPort`, target, portMessage))
    const number = `${String(port['protocol'])} ${String(port['port'])}`
    if (numbers.has(number)) causes.push(duplicate(path, port))
    numbers.add(number)
  })
  return causes
}

function validateAddress(spec: Part): Cause[] {
  const address = textOf(spec, 'clusterIP')
  if (spec['type'] === 'ExternalName') {
    return address === ''
      ? []
      : [invalidValue('spec.clusterIPs', spec['clusterIPs'], 'may not be set for ExternalName')]
  }
  if (address === '' || address === 'None' || isAddress(address)) return []
  return [invalidValue('spec.clusterIPs[0]', address, 'must be a valid IP address')]
}

const portMessage = 'must be between 1 and 65535, inclusive'

function pick(part: Part, fields: readonly string[]): Part {
  return Object.fromEntries(fields.flatMap((field) => (part[field] === undefined ? [] : [[field, part[field]]])))
}
