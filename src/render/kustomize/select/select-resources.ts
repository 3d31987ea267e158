import { type LabelMatch, LadingError, parseLabelSelector, stringifyJson } from '../../../core/index.ts'
import type { Selector } from '../load/arguments.ts'
import { effectiveNamespace, type ResId } from '../resource/res-id.ts'
import type { Resource } from '../resource/resource.ts'
import { compilePattern } from './pattern.ts'

/** The resources that a patch's target selects; names and namespaces match as they are or as they were at first. */
export function selectResources(resources: readonly Resource[], selector: Selector, field: string): Resource[] {
  const { group, version, kind, name, namespace } = matchParts(selector, field)
  const texts = matchTexts(selector, field)
  return resources.filter((resource) => {
    const ids = [resource.originalId(), resource.currentId()]
    const { gvk } = resource
    return (
      ids.some((id) => namespace(effectiveNamespace(id))) &&
      ids.some((id) => name(id.name)) &&
      group(gvk.group) &&
      version(gvk.version) &&
      kind(gvk.kind) &&
      texts(resource)
    )
  })
}

/** Whether an id has the parts that a replacement's selector gives; its namespace as written, `default` is not none. */
export function matchIds(selector: Selector, field: string): (id: ResId) => boolean {
  const { group, version, kind, name, namespace } = matchParts(selector, field)
  return (id) =>
    group(id.gvk.group) && version(id.gvk.version) && kind(id.gvk.kind) && name(id.name) && namespace(id.namespace)
}

type Part = 'group' | 'version' | 'kind' | 'name' | 'namespace'

function matchParts(selector: Selector, field: string): Record<Part, (text: string) => boolean> {
  const part = (name: Part): ((text: string) => boolean) => {
    if (selector[name] === '') return () => true
    const pattern = compilePattern(`^(?:${selector[name]})$`, `${field}.${name}`)
    return (text) => pattern.test(text)
  }
  return {
    group: part('group'),
    version: part('version'),
    kind: part('kind'),
    name: part('name'),
    namespace: part('namespace'),
  }
}

/** Whether a resource fulfils a selector's label and annotation selectors. */
export function matchTexts(selector: Selector, field: string): (resource: Resource) => boolean {
  const labels = readSelector(selector.labelSelector, `${field}.labelSelector`)
  const annotations = readSelector(selector.annotationSelector, `${field}.annotationSelector`)
  return (resource) =>
    (selector.labelSelector === '' || labels(resource.texts('labels'))) &&
    (selector.annotationSelector === '' || annotations(resource.texts('annotations')))
}

function readSelector(text: string, field: string): LabelMatch {
  const match = parseLabelSelector(text)
  if (typeof match === 'function') return match
  const problem = `${field}: ${stringifyJson(text)} is not a valid selector: ${match.problem}`
  throw new LadingError('kustomize.invalid', problem, { field })
}
