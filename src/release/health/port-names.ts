import { isRecord, type KubeObject } from '../../core/index.ts'

/** The names of the ports that an object's containers, or a Service, declare; undefined where it does not say. */
export function portNames(object: KubeObject): string[] | undefined {
  const spec = partOf(object, 'spec')
  if (object.kind === 'Service') return namesIn(spec['ports'])
  const pod = object.kind === 'Pod' ? spec : partOf(partOf(spec, 'template'), 'spec')
  const containers: unknown = pod['containers']
  if (!Array.isArray(containers)) return undefined
  return containers.flatMap((container: unknown) => (isRecord(container) ? namesIn(container['ports']) : []))
}

function namesIn(ports: unknown): string[] {
  if (!Array.isArray(ports)) return []
  return ports.flatMap((port: unknown) => (isRecord(port) && typeof port['name'] === 'string' ? [port['name']] : []))
}

function partOf(value: Readonly<Record<string, unknown>>, field: string): Record<string, unknown> {
  const part = value[field]
  return isRecord(part) ? part : {}
}
