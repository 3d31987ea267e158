// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { NamedObjectMeta } from '../object-meta.ts'
import type { ObjectReference } from './core-v1.ts'

/** `Endpoint` of `discovery/v1`. */
export type Endpoint = {
  addresses: string[]
  conditions?: EndpointConditions
  deprecatedTopology?: Record<string, string>
  hints?: EndpointHints
  hostname?: string
  nodeName?: string
  targetRef?: ObjectReference
  zone?: string
}

/** `EndpointConditions` of `discovery/v1`. */
export type EndpointConditions = {
  ready?: boolean
  serving?: boolean
  terminating?: boolean
}

/** `EndpointHints` of `discovery/v1`. */
export type EndpointHints = {
  forNodes?: ForNode[]
  forZones?: ForZone[]
}

/** `EndpointPort` of `discovery/v1`. */
export type DiscoveryV1EndpointPort = {
  appProtocol?: string
  name?: string
  port?: number
  protocol?: 'SCTP' | 'TCP' | 'UDP'
}

/** The kind `EndpointSlice` of `discovery.k8s.io/v1`. */
export type EndpointSlice = {
  apiVersion: 'discovery.k8s.io/v1'
  kind: 'EndpointSlice'
  metadata: NamedObjectMeta
  addressType: 'FQDN' | 'IPv4' | 'IPv6'
  endpoints: Endpoint[]
  ports?: DiscoveryV1EndpointPort[]
}

/** `ForNode` of `discovery/v1`. */
export type ForNode = {
  name: string
}

/** `ForZone` of `discovery/v1`. */
export type ForZone = {
  name: string
}
