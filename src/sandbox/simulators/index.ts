import type { Controller } from '../controllers/controller.ts'
import { fluxHelmReleases } from './flux-helm-releases.ts'
import { fluxKustomizations } from './flux-kustomizations.ts'
import { fluxSources } from './flux-sources.ts'
import { serviceTemplates } from './service-templates.ts'

/** A foreign controller that the sandbox can stand in for. */
export type SimulatorName = 'flux' | 'service-templates'

/** The simulators that were asked for. */
export function simulators(names: readonly SimulatorName[] = []): Controller[] {
  return names.flatMap((name) => {
    switch (name) {
      case 'flux':
        return [fluxSources, fluxHelmReleases, fluxKustomizations]
      case 'service-templates':
        return [serviceTemplates]
    }
  })
}
