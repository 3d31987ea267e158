import type { GroupVersionKind } from '../../../core/index.ts'
import type { ResourceType } from '../../resource-type.ts'
import { type DescribedVerb, isDescribed, operation, type OperationTarget, parameter } from './operations.ts'
import { gvkText, type TypeNames } from './type-names.ts'

/** The paths of resources with their operations, as far as clients look at them. */
export function describePaths(types: readonly ResourceType[], names: TypeNames): Record<string, object> {
  return Object.fromEntries(types.flatMap((type) => resourcePaths(type, names)))
}

function resourcePaths(type: ResourceType, names: TypeNames): [string, object][] {
  const prefix = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`
  const everywhere = `${prefix}/${type.resource}`
  const collection = type.namespaced ? `${prefix}/namespaces/{namespace}/${type.resource}` : everywhere
  const item = `${collection}/{name}`
  const target = targetOf(type, type.listKind, names)
  const verbs = type.verbs.filter(isDescribed)
  const inCollection = verbs.filter((verb) => collectionVerbs.has(verb))
  const paths: [string, object][] = [
    [collection, pathItem(collection, inCollection, target)],
    [
      item,
      pathItem(
        item,
        verbs.filter((verb) => !collectionVerbs.has(verb)),
        target,
      ),
    ],
    ...type.subresources.filter(isNoConnection).map((sub): [string, object] => {
      const path = `${item}/${sub.name}`
      return [path, pathItem(path, sub.verbs.filter(isDescribed), targetOf(sub.kind ?? type, undefined, names))]
    }),
  ]
  if (type.namespaced && verbs.includes('list')) paths.push([everywhere, pathItem(everywhere, ['list'], target)])
  return paths.filter(([, described]) => Object.keys(described).some((key) => key !== 'parameters'))
}

const collectionVerbs: ReadonlySet<DescribedVerb> = new Set<DescribedVerb>(['list', 'create', 'deletecollection'])

// `exec`, `proxy` and the like are streams; discovery names them by the kind of their options.
function isNoConnection({ kind }: ResourceType['subresources'][number]): boolean {
  return kind === undefined || !kind.kind.endsWith('Options')
}

function pathItem(path: string, verbs: readonly DescribedVerb[], target: OperationTarget): object {
  const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameter(name, 'path'))
  return {
    ...Object.fromEntries(verbs.map((verb) => operation(verb, target))),
    ...(placeholders.length === 0 ? {} : { parameters: placeholders }),
  }
}

function targetOf(gvk: GroupVersionKind, listKind: string | undefined, names: TypeNames): OperationTarget {
  const listType = listKind === undefined ? undefined : names.get(gvkText({ ...gvk, kind: listKind }))
  return { gvk, type: names.get(gvkText(gvk)), listType }
}
