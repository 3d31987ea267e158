import { isRecord } from '../../core/index.ts'
import { type Chart, toValues } from '../../render/helm/index.ts'
import { composeValues, type GivenValues } from '../values/compose-values.ts'

/**
 * A chart with the defaults that count, and what the user gave for it with numbers as Helm would have them. `--reuse-values` keeps,
 * as in Helm, the values that the revision before came to in place of the chart's own.
 */
export function chartValues(chart: Chart, given: GivenValues): { chart: Chart; values: Record<string, unknown> } {
  const old = given.mode === 'reuse' ? given.previous?.values : undefined
  return {
    chart: old === undefined ? chart : { ...chart, values: toValues(floats(old)) },
    values: { ...composeValues(asHelmReads(given)).userValues },
  }
}

// Helm has float64 for every number of a file, of JSON and of a stored release, and int64 for those of --set.
function asHelmReads({ files = [], set = [], previous, ...rest }: GivenValues): GivenValues {
  const { values = {}, userValues } = previous ?? {}
  const before = previous && {
    ...previous,
    values: floats(values),
    ...(userValues === undefined ? {} : { userValues: floats(userValues) }),
  }
  return {
    ...rest,
    files: files.map((file) => ({ ...file, values: floats(file.values) })),
    set: set.map((each) => ({ ...each, value: mapped(each.value, each.flag === 'set' ? integer : float) })),
    ...(before === undefined ? {} : { previous: before }),
  }
}

function floats(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return mapped(values, float) as Record<string, unknown>
}

function float(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}

function integer(value: unknown): unknown {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value
}

function mapped(value: unknown, leaf: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, leaf))
  if (!isRecord(value)) return leaf(value)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item, leaf)]))
}
