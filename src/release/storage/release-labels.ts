import { isLabelValue, isQualifiedName, LadingError } from '../../core/index.ts'

type Labels = Readonly<Record<string, string>>

/** Keys under which stores keep what is theirs, Helm's among them. */
const kept =
  /^(?:name|owner|status|version|createdAt|modifiedAt|app\.kubernetes\.io\/managed-by|(?:sherpack\.io|lading\.dev)\/.*)$/

/** The labels of the next revision: those of the one before with what is given now; as with Helm, `null` takes one away. */
export function nextLabels(before: Labels | undefined, given: Labels = {}): Labels {
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([key]) => given[key] !== 'null'))
}

/** The labels that a user gave, without those that Lading itself adds, such as the plan that made a revision. */
export function givenLabels(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !/^(?:[^/]+\.)?lading\.dev\//.test(key)))
}

/** Refuses labels that the object of a record could not carry, or that it carries for the store. */
export function checkLabels(labels: Labels = {}): void {
  for (const [key, value] of Object.entries(labels)) {
    const problem = kept.test(key) ? 'its key is used by stores' : isLabel([key, value]) ? undefined : 'it is no label'
    if (problem !== undefined)
      throw new LadingError('usage.invalid', `label ${key}=${value}: ${problem}`, { label: key })
  }
}

/** The labels of a release that an object can carry: then lists show them, and kubectl and helm select by them. */
export function carriedLabels(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter((label) => isLabel(label) && !kept.test(label[0])))
}

/** The labels of a release among those of the object of its record, where there are any. */
export function shownLabels(labels: Labels = {}): { readonly labels?: Labels } {
  const own = Object.entries(labels).filter(([key]) => !kept.test(key))
  return own.length === 0 ? {} : { labels: Object.fromEntries(own) }
}

function isLabel([key, value]: readonly [string, string]): boolean {
  return isQualifiedName(key) && isLabelValue(value)
}
