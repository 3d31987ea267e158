import { type Controller, ownKey } from '../controllers/controller.ts'
import { setStatus } from '../controllers/writes.ts'
import { partOf } from '../object-parts.ts'

const collection = 'k0rdent.mirantis.com/servicetemplates'

/** Stands in for the controller of service templates: each is valid, unless an annotation says that it is not. */
export const serviceTemplates: Controller = {
  name: 'service-templates',
  watches: { [collection]: ownKey },
  reconcile: (key, env) => {
    const template = env.index.get(collection, key.namespace, key.name)
    if (template === undefined || template.metadata.deletionTimestamp !== undefined) return
    const { annotations = {}, generation } = template.metadata
    const asked = annotations['lading.dev/simulate']
    if (asked === 'hang') return
    const valid = asked !== 'invalid' && asked !== 'fail'
    const { validationError: _, ...before } = partOf(template, 'status')
    setStatus(env.backend, 'k0rdent', template, {
      ...before,
      valid,
      ...(valid ? {} : { validationError: annotations['lading.dev/simulate-message'] ?? 'simulated: not valid' }),
      ...(generation === undefined ? {} : { observedGeneration: generation }),
    })
  },
}
