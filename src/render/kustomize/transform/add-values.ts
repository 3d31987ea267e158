import { LadingError } from '../../../core/index.ts'
import { parseDocuments } from '../../../core/yaml/index.ts'
import type { Target } from '../target.ts'
import { walkPath, setScalar } from '../config/apply-field-spec.ts'
import { listOf, optional, shape, text, whole } from '../load/decode.ts'
import { selector } from '../load/arguments.ts'
import { isClusterScoped } from '../resource/cluster-scope.ts'
import type { ResMap } from '../resource/res-map.ts'
import { selectResources } from '../select/select-resources.ts'
import { textOf } from '../yaml/value.ts'

const kind = 'ValueAddTransformer'
const targets = listOf(shape({ selector: optional(selector), fieldPath: text, filePathPosition: whole }))
const args = shape({ value: text, targets, targetFilePath: text })

/** Puts one value into fields of resources, or into a place of the paths that they hold. */
export function addValues(resources: ResMap, config: unknown, { loader }: Target): void {
  const place = { file: kind, path: '', strict: false }
  const given = args(config, place)
  const value = given.value.trim() === '' ? loader.root.split('/').at(-1)! : given.value.trim()
  const fromFile =
    given.targetFilePath === ''
      ? []
      : shape({ targets })(parseDocuments(loader.loadText(given.targetFilePath))[0]?.value, place).targets
  const all = [...given.targets, ...fromFile]
  if (all.length === 0) throw invalid('must specify at least one target')
  for (const target of all) {
    if (target.fieldPath === '') throw invalid('fieldPath cannot be empty')
    if (target.filePathPosition < 0) throw invalid('filePathPosition cannot be negative')
    const selected =
      target.selector === undefined
        ? resources.resources
        : selectResources(resources.resources, target.selector, `${kind}.targets.selector`)
    for (const resource of selected) {
      if (target.fieldPath === 'metadata/namespace' && isClusterScoped(resource.gvk)) continue
      walkPath(resource, { path: target.fieldPath, create: true }, 'scalar', (slot) =>
        setScalar(slot, insertPart(textOf(slot.get()), target.filePathPosition, value)),
      )
    }
  }
}

/** Inserts a part into a path at a position counted from 1; 0 replaces the whole value. */
function insertPart(path: string, position: number, part: string): string {
  if (position === 0) return part
  const isAbsolute = path.startsWith('/')
  const parts = path.split('/').filter((each) => each !== '')
  parts.splice(Math.min(position - 1, parts.length), 0, part)
  return `${isAbsolute ? '/' : ''}${parts.join('/')}`
}

function invalid(problem: string): LadingError {
  return new LadingError('kustomize.invalid', `${kind}: ${problem}`, { field: 'transformers' })
}
