import type { Benchmark } from './benchmark.ts'
import { applyBenchmark } from './benchmarks/apply.ts'
import { artifactBenchmark } from './benchmarks/artifact.ts'
import { chartBenchmark } from './benchmarks/chart.ts'
import { coldStartBenchmark } from './benchmarks/cold-start.ts'
import { importBenchmark } from './benchmarks/import.ts'
import { kustomizeBenchmark } from './benchmarks/kustomize.ts'
import { rawLimitBenchmark } from './benchmarks/raw-limit.ts'
import { readYamlBenchmark } from './benchmarks/read-yaml.ts'
import { registryTransferBenchmark } from './benchmarks/registry-transfer.ts'
import { releaseBenchmark } from './benchmarks/release.ts'
import { sandboxBenchmark } from './benchmarks/sandbox.ts'

/** Every benchmark, in the order in which they run: the ones without a control plane first. */
export const benchmarks: readonly Benchmark[] = [
  coldStartBenchmark,
  importBenchmark,
  readYamlBenchmark,
  kustomizeBenchmark,
  chartBenchmark,
  registryTransferBenchmark,
  artifactBenchmark,
  rawLimitBenchmark,
  applyBenchmark,
  releaseBenchmark,
  sandboxBenchmark,
]
