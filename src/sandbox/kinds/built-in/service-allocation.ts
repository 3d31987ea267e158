import { createHash } from 'node:crypto'
import type { KubeObject } from '../../../core/index.ts'
import type { Cause } from '../../status-error.ts'
import { partOf } from '../../object-parts.ts'
import { invalidValue } from '../causes.ts'
import type { RuleEnv } from '../kind-rules.ts'
import { numberOf, partsOf } from '../read.ts'

const firstNodePort = 30_000
const nodePorts = 2768
/** The host part of 10.96.0.0/12. */
const hosts = 2 ** 20

/** An address of 10.96.0.0/12 that no service has; the same for the same service, as long as it is free. */
export function freeClusterIp(service: KubeObject, env: RuleEnv): string {
  const used = new Set(env.all('/services').map((one) => partOf(one, 'spec')['clusterIP']))
  for (let host = startOf(service, hosts - 2); ; host = (host + 1) % (hosts - 2)) {
    const number = host + 1
    const address = `10.${96 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`
    // The tenth address is that of cluster DNS by convention, the first that of the API server.
    if (number !== 1 && number !== 10 && !used.has(address)) return address
  }
}

/** A node port that no service has; `taken` holds those of the service itself and takes the new one. */
export function freeNodePort(service: KubeObject, env: RuleEnv, taken: Map<number, unknown>): number {
  const used = new Set<number | undefined>(taken.keys())
  for (const one of env.all('/services')) {
    const spec = partOf(one, 'spec')
    used.add(numberOf(spec, 'healthCheckNodePort'))
    for (const port of partsOf(spec, 'ports')) used.add(numberOf(port, 'nodePort'))
  }
  let port = firstNodePort + startOf(service, nodePorts)
  for (let tried = 0; used.has(port) && tried < nodePorts; tried += 1) {
    port = firstNodePort + ((port + 1 - firstNodePort) % nodePorts)
  }
  taken.set(port, undefined)
  return port
}

/** What of the addresses and ports that a service asks for is not to be had. */
export function allocationCauses(service: KubeObject, old: KubeObject | undefined, env: RuleEnv): Cause[] {
  const { uid } = service.metadata
  const others = env.all('/services').filter((one) => one.metadata.uid !== uid)
  const own = new Set(old === undefined ? [] : nodePortsOf(old))
  const taken = new Set(others.flatMap(nodePortsOf))
  const ports = partsOf(partOf(service, 'spec'), 'ports').flatMap((port, index) => {
    const number = numberOf(port, 'nodePort')
    if (number === undefined || own.has(number)) return []
    const field = `spec.ports[${index}].nodePort`
    if (number < firstNodePort || number >= firstNodePort + nodePorts) return [invalidValue(field, number, outOfRange)]
    return taken.has(number) ? [invalidValue(field, number, 'provided port is already allocated')] : []
  })
  return [...ports, ...addressCauses(service, others)]
}

function addressCauses(service: KubeObject, others: readonly KubeObject[]): Cause[] {
  const { clusterIP } = partOf(service, 'spec')
  if (typeof clusterIP !== 'string' || clusterIP === 'None') return []
  if (others.every((one) => partOf(one, 'spec')['clusterIP'] !== clusterIP)) return []
  const why = `failed to allocate IP ${clusterIP}: provided IP is already allocated`
  return [invalidValue('spec.clusterIPs', [clusterIP], why)]
}

function nodePortsOf(service: KubeObject): number[] {
  return partsOf(partOf(service, 'spec'), 'ports').flatMap((port) => numberOf(port, 'nodePort') ?? [])
}

const outOfRange = `provided port is not in the valid range. The range of valid ports is ${firstNodePort}-${firstNodePort + nodePorts - 1}`

function startOf(service: KubeObject, range: number): number {
  return createHash('sha256').update(String(service.metadata.uid)).digest().readUInt32BE(0) % range
}
