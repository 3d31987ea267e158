import { LadingError, stringifyJson } from '../../../core/index.ts'
import type { ChartBudget } from './chart-limits.ts'

/** Takes one file from the budget, or refuses it. */
export function countFile(budget: ChartBudget, name: string, size: number): void {
  if (size > budget.maxFileBytes) {
    const problem = `decompressed chart file ${stringifyJson(name)} is larger than the maximum file size ${budget.maxFileBytes}`
    throw new LadingError('input.too-large', problem, { file: name, size, maxFileBytes: budget.maxFileBytes })
  }
  budget.bytes += size
  if (budget.bytes > budget.maxBytes) {
    const problem = `decompressed chart is larger than the maximum size ${budget.maxBytes}`
    throw new LadingError('input.too-large', problem, { file: name, maxBytes: budget.maxBytes })
  }
  countEntry(budget, name)
}

/** Takes one entry without content from the budget, or refuses it. */
export function countEntry(budget: ChartBudget, name: string): void {
  budget.entries++
  if (budget.entries > budget.maxEntries) {
    const problem = `the chart has more than ${budget.maxEntries} files and folders`
    throw new LadingError('input.too-large', problem, { file: name, maxEntries: budget.maxEntries })
  }
}
