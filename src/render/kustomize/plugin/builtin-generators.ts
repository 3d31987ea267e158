import { generateConfigMap, generateSecret } from '../generate/generate-data.ts'
import { generateIamPolicy } from '../generate/generate-iam-policy.ts'
import { chartGeneratorArgs } from '../generate/chart-request.ts'
import { inflateChart } from '../generate/inflate-chart.ts'
import { type Decoder, shape, text } from '../load/decode.ts'
import { configMapArgs, secretArgs } from '../load/arguments.ts'
import type { Resource } from '../resource/resource.ts'
import type { Target } from '../target.ts'

/** A generator that a configuration asks for. */
type BuiltinGenerator = (config: unknown, target: Target) => Resource[]

const metadata = shape({ metadata: shape({ name: text, namespace: text }) })

/** The generators that kustomize has built in, by the kind of their configuration. */
export const builtinGenerators: ReadonlyMap<string, BuiltinGenerator> = new Map<string, BuiltinGenerator>([
  ['ConfigMapGenerator', (config, { loader }) => [generateConfigMap(named(configMapArgs, config), undefined, loader)]],
  ['SecretGenerator', (config, { loader }) => [generateSecret(named(secretArgs, config), undefined, loader)]],
  ['IAMPolicyGenerator', (config) => [generateIamPolicy(config)]],
  [
    'HelmChartInflationGenerator',
    (config, { loader, build }) => {
      const { chartHome, configHome: _, ...chart } = chartGeneratorArgs(config, place)
      return inflateChart(chart, chartHome, loader, build)
    },
  ],
])

// Name and namespace may be given as the configuration's own.
function named<T extends { name: string; namespace: string; envs: string[]; env: string }>(
  decode: Decoder<T>,
  config: unknown,
): T {
  const args = decode(config, place)
  const own = metadata(config, place).metadata
  return {
    ...args,
    name: args.name === '' ? own.name : args.name,
    namespace: args.namespace === '' ? own.namespace : args.namespace,
    envs: args.env === '' ? args.envs : [...args.envs, args.env],
  }
}

const place = { file: 'generators', path: '', strict: false }
