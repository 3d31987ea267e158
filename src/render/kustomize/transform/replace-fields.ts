import { isLadingError, LadingError } from '../../../core/index.ts'
import { parseDocuments } from '../../../core/yaml/index.ts'
import { type FieldOptions, replacement, type Replacement, type Selector } from '../load/arguments.ts'
import { type Kustomization } from '../load/kustomization.ts'
import type { Loader } from '../load/loader.ts'
import { formatId, isIdSelected } from '../resource/res-id.ts'
import type { ResMap } from '../resource/res-map.ts'
import type { Resource } from '../resource/resource.ts'
import { matchIds, matchTexts } from '../select/select-resources.ts'
import { copyValue, isEmpty, isMap, isScalar, textOf, type Value } from '../yaml/value.ts'
import { convertScalar } from './convert-scalar.ts'
import { lookUp, splitFieldPath } from './field-path.ts'
import { matchFields } from './match-fields.ts'
import { replaceInText } from './replace-in-text.ts'

type Source = NonNullable<Replacement['source']>
type ReplacementTarget = NonNullable<Replacement['targets']>[number]

/** Reads the replacements that entries hold or name a file for. */
export function loadReplacements(entries: Kustomization['replacements'], loader: Loader): Replacement[] {
  return entries.flatMap(({ path, ...inline }) => {
    if (path === '') return [inline]
    if (inline.source !== undefined || (inline.targets?.length ?? 0) > 0) {
      throw invalid('cannot specify both path and inline replacement')
    }
    const content = parseDocuments(loader.loadText(path), { file: path })[0]?.value
    const list = Array.isArray(content) ? content : [content]
    return list.map((each: unknown) => replacement(each, { file: path, path: '', strict: false }))
  })
}

/** Copies values from fields of one resource to fields of others. */
export function replaceFields(resources: ResMap, replacements: readonly Replacement[]): void {
  for (const each of replacements) {
    if ((each.source === undefined && each.sourceValue === undefined) || each.targets === undefined) {
      throw invalid('replacements must specify a source and at least one target')
    }
    if (each.source !== undefined && each.sourceValue !== undefined) {
      throw invalid('value and resource selectors are mutually exclusive')
    }
    const value = each.source === undefined ? each.sourceValue! : readSource(resources.resources, each.source)
    for (const target of each.targets) replaceTarget(resources.resources, value, target)
  }
  resources.changed()
}

function readSource(resources: readonly Resource[], source: Source): Value {
  const { group, version, kind, name, namespace } = source
  const id = { gvk: { group, version, kind }, name, namespace }
  const [match, second] = resources.filter((resource) => resource.anyIds().some((each) => isIdSelected(each, id)))
  if (match === undefined) throw invalid(`nothing selected by ${formatId(id)}`)
  if (second !== undefined) throw invalid(`multiple matches for selector ${formatId(id)}`)
  const path = source.fieldPath === '' ? 'metadata.name' : source.fieldPath
  const value = lookUp(match.node, splitFieldPath(path))
  if (value === undefined || (value !== '' && isEmpty(value))) {
    throw invalid(`fieldPath ${path} is missing for replacement source ${formatId(id)}`)
  }
  const { delimiter = '', index = 0 } = source.options ?? {}
  if (delimiter === '') return value
  if (!isScalar(value)) throw invalid('delimiter option can only be used with scalar nodes')
  const parts = textOf(value).split(delimiter)
  const part = index < 0 ? undefined : parts[index]
  if (part === undefined) throw invalid(`options.index ${index} is out of bounds for the value of ${path}`)
  return part
}

function replaceTarget(resources: readonly Resource[], value: Value, target: ReplacementTarget): void {
  if (target.select === undefined) throw invalid('target must specify resources to select')
  const { select, reject } = target
  const selects = matchTexts(select, 'replacements.targets.select')
  const isSelected = matchIds(select, 'replacements.targets.select')
  const rejected = reject
    .filter((each) => !isEmptyId(each))
    .map((each) => matchIds(each, 'replacements.targets.reject'))
  const rejects = reject
    .filter((each) => each.labelSelector !== '' || each.annotationSelector !== '')
    .map((each) => matchTexts(each, 'replacements.targets.reject'))
  const paths = target.fieldPaths.length === 0 ? ['metadata.name'] : target.fieldPaths
  for (const resource of resources) {
    if (!selects(resource) || rejects.some((rejects) => rejects(resource))) continue
    const ids = resource.anyIds()
    if (!ids.some(isSelected) || rejected.some((rejects) => ids.some(rejects))) continue
    for (const path of paths) setField(resource, value, path, target.options)
  }
}

function isEmptyId({ group, version, kind, name, namespace }: Selector): boolean {
  return [group, version, kind, name, namespace].every((part) => part === '')
}

function setField(resource: Resource, value: Value, path: string, options: FieldOptions | undefined): void {
  const isCreate = options?.create === true
  const kind = isScalar(value) ? 'scalar' : isMap(value) ? 'map' : 'list'
  const root = { get: () => resource.node, set: () => undefined }
  const missing = `unable to find ${isCreate ? 'or create ' : ''}field "${path}" in replacement target ${formatId(resource.currentId())}`
  const steps = splitFieldPath(path)
  const create = isCreate ? kind : undefined
  if (replaceInText(resource.node, steps, create, (old) => replaced(old, value, options))) return
  const slots = attempt(missing, () => matchFields(root, steps, create))
  if (slots.length === 0) throw invalid(missing)
  for (const slot of slots) slot.set(replaced(slot.get(), value, options))
}

function replaced(old: Value, value: Value, options: FieldOptions | undefined): Value {
  const delimiter = options?.delimiter ?? ''
  if (delimiter === '') return isScalar(old) && isScalar(value) ? convertScalar(old, textOf(value)) : copyValue(value)
  if (!isScalar(old)) throw invalid('delimiter option can only be used with scalar nodes')
  const parts = textOf(old).split(delimiter)
  const index = options?.index ?? 0
  if (index < 0) parts.unshift(textOf(value))
  else if (index >= parts.length) parts.push(textOf(value))
  else parts[index] = textOf(value)
  return convertScalar(old, parts.join(delimiter))
}

function attempt<T>(missing: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!isLadingError(error)) throw error
    throw new LadingError(
      error.code,
      `replacements: ${missing}: ${error.message}`,
      { field: 'replacements' },
      { cause: error },
    )
  }
}

function invalid(problem: string): LadingError {
  return new LadingError('kustomize.invalid', `replacements: ${problem}`, { field: 'replacements' })
}
