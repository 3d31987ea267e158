import type { Accumulator } from './accumulator.ts'
import { mergeGenerated } from './generate/merge-generated.ts'
import { generateConfigMap, generateSecret } from './generate/generate-data.ts'
import { inflateChart } from './generate/inflate-chart.ts'
import { builtinOrigin } from './resource/origin.ts'
import type { Target } from './target.ts'

/** Runs the generators of a kustomization. */
export function runGenerators(target: Target, accumulator: Accumulator): void {
  const { kustomization, loader, build, place } = target
  const generators = [
    ['ConfigMapGenerator', kustomization.configMapGenerator, generateConfigMap],
    ['SecretGenerator', kustomization.secretGenerator, generateSecret],
  ] as const
  for (const [kind, list, generate] of generators) {
    for (const args of list) {
      const resource = generate(args, kustomization.generatorOptions, loader)
      if (build.tracksOrigin) resource.origin = builtinOrigin(place, kustomization.fileName, kind)
      mergeGenerated(accumulator.resources, resource)
    }
  }
  for (const chart of kustomization.helmCharts) {
    const namespace = [chart.namespace, kustomization.namespace, target.helmNamespace].find((each) => each !== '') ?? ''
    const chartHome = kustomization.helmGlobals?.chartHome ?? ''
    for (const resource of inflateChart({ ...chart, namespace }, chartHome, loader, build)) {
      if (build.tracksOrigin) {
        resource.origin = builtinOrigin(place, kustomization.fileName, 'HelmChartInflationGenerator')
      }
      mergeGenerated(accumulator.resources, resource)
    }
  }
}
