import { defined, type KubeObject, LadingError, stringifyJson } from '../../core/index.ts'
import type { ComponentProbe } from '../config/component.ts'

/** The objects with the checks that a component asks for, as the annotations that the release engine reads. */
export function addProbes(objects: readonly KubeObject[], probes: readonly ComponentProbe[]): KubeObject[] {
  for (const { kind, name } of probes) {
    if (!objects.some((object) => object.kind === kind && object.metadata.name === name)) {
      throw new LadingError(
        'config.invalid',
        `health.probes names ${kind} ${name}, which the component does not hold`,
        {
          field: 'health.probes',
        },
      )
    }
  }
  return objects.map((object) => {
    const probe = probes.find(({ kind, name }) => object.kind === kind && object.metadata.name === name)
    if (probe === undefined) return object
    const annotations = { ...object.metadata.annotations, ...annotationsOf(probe) }
    return { ...object, metadata: { ...object.metadata, annotations } }
  })
}

function annotationsOf({ type, path, port, command }: ComponentProbe): Record<string, string> {
  return {
    'lading.dev/health-check': 'true',
    'lading.dev/health-check-type': type,
    ...defined({ 'lading.dev/health-check-path': path, 'lading.dev/health-check-port': port }),
    ...(command === undefined ? {} : { 'lading.dev/health-check-command': stringifyJson(command) }),
  }
}
