import { type GoMap, goType, type GoValue } from '../../gotemplate/value.ts'
import type { Dependency } from '../chart/chart.ts'
import { nilStringMap } from '../functions/dicts/nil-values.ts'
import { toGoValue } from '../values/values.ts'
import type { WorkingChart } from '../values/working-chart.ts'

/** `.Chart`: Helm 4 makes a map of its metadata, with Go's names. */
export function chartObject(chart: WorkingChart): GoMap {
  const { metadata } = chart
  return map({
    Name: chart.name,
    Home: metadata.home,
    Sources: [...metadata.sources],
    Version: metadata.version,
    Description: metadata.description,
    Keywords: [...metadata.keywords],
    Maintainers: metadata.maintainers.map(({ name, email, url }) => map({ Name: name, Email: email, URL: url })),
    Icon: metadata.icon,
    APIVersion: metadata.apiVersion,
    Condition: metadata.condition,
    Tags: metadata.tags,
    AppVersion: metadata.appVersion,
    Deprecated: metadata.deprecated,
    Annotations:
      metadata.annotations === undefined
        ? nilStringMap
        : Object.assign(map(metadata.annotations), { [goType]: 'map[string]string' }),
    KubeVersion: metadata.kubeVersion,
    Dependencies: chart.requirements.map(dependencyObject),
    Type: metadata.type,
    IsRoot: chart.parent === undefined,
  })
}

function dependencyObject(row: Dependency): GoMap {
  return map({
    Name: row.name,
    Version: row.version,
    Repository: row.repository,
    Condition: row.condition,
    Tags: [...row.tags],
    Enabled: row.enabled,
    ImportValues: row.importValues.map(toGoValue),
    Alias: row.alias,
  })
}

function map(entries: Readonly<Record<string, GoValue>>): GoMap {
  return Object.assign(Object.create(null) as GoMap, entries)
}
