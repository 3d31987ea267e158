import type { Controller } from '../controllers/controller.ts'

/** A foreign controller that the sandbox can stand in for. */
export type SimulatorName = 'flux' | 'service-templates'

/** The simulators that were asked for. */
export function simulators(_names: readonly SimulatorName[] = []): Controller[] {
  return []
}
