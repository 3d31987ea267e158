import type { Accumulator } from './accumulator.ts'
import { absorb } from './generate/absorb.ts'
import { generateConfigMap, generateSecret } from './generate/generate-data.ts'
import { refuseHelm } from './generate/refuse-helm.ts'
import { builtinOrigin } from './resource/origin.ts'
import type { Target } from './target.ts'

/** Runs the generators of a kustomization. */
export function runGenerators(target: Target, accumulator: Accumulator): void {
  const { kustomization, loader, build, originPath } = target
  const generators = [
    ['ConfigMapGenerator', kustomization.configMapGenerator, generateConfigMap],
    ['SecretGenerator', kustomization.secretGenerator, generateSecret],
  ] as const
  for (const [kind, list, generate] of generators) {
    for (const args of list) {
      const resource = generate(args, kustomization.generatorOptions, loader)
      if (build.tracksOrigin) resource.origin = builtinOrigin(originPath, kustomization.fileName, kind)
      absorb(accumulator.resources, resource)
    }
  }
  if (kustomization.helmCharts.length > 0) throw refuseHelm(build.enableHelm)
}
