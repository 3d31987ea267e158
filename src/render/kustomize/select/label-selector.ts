import { LadingError } from '../../../core/index.ts'

type Texts = Readonly<Record<string, string>>

/** Whether labels or annotations fulfil a selector. */
type LabelMatch = (texts: Texts) => boolean

const key = String.raw`(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?/)?[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?`
const equality = new RegExp(String.raw`^(${key})\s*(==?|!=)\s*([^\s,()!=<>]*)$`)
const setBased = new RegExp(String.raw`^(${key})\s+(in|notin)\s*\(([^()]*)\)$`)
const presence = new RegExp(String.raw`^(!?)\s*(${key})$`)
const comparison = new RegExp(String.raw`^(${key})\s*([<>])\s*(-?\d+)$`)

/** Reads a selector as the Kubernetes API does: `a=b,c!=d,e in (f,g),h,!i`. The empty one matches everything. */
export function parseLabelSelector(selector: string, field: string): LabelMatch {
  if (selector.trim() === '') return () => true
  const requirements = splitRequirements(selector).map((each) => {
    const match = parseRequirement(each.trim())
    if (match !== undefined) return match
    throw new LadingError('kustomize.invalid', `${field}: unable to parse requirement ${JSON.stringify(each)}`, {
      field,
    })
  })
  return (texts) => requirements.every((fulfilled) => fulfilled(texts))
}

function splitRequirements(selector: string): string[] {
  return selector.split(/,(?![^()]*\))/)
}

function parseRequirement(text: string): LabelMatch | undefined {
  const equal = equality.exec(text)
  if (equal !== null) {
    const [, name, operator, value] = equal as unknown as [string, string, string, string]
    return operator === '!=' ? (texts) => texts[name] !== value : (texts) => texts[name] === value
  }
  const set = setBased.exec(text)
  if (set !== null) {
    const [, name, operator, list] = set as unknown as [string, string, string, string]
    const values = new Set(list.split(',').map((value) => value.trim()))
    if (operator === 'in') return (texts) => texts[name] !== undefined && values.has(texts[name])
    return (texts) => texts[name] === undefined || !values.has(texts[name])
  }
  const present = presence.exec(text)
  if (present !== null) {
    const [, not, name] = present as unknown as [string, string, string]
    return not === '!' ? (texts) => texts[name] === undefined : (texts) => texts[name] !== undefined
  }
  const compared = comparison.exec(text)
  if (compared === null) return undefined
  const [, name, operator, number] = compared as unknown as [string, string, string, string]
  return (texts) => {
    const value = texts[name]
    if (value === undefined || !/^-?\d+$/.test(value)) return false
    return operator === '<' ? BigInt(value) < BigInt(number) : BigInt(value) > BigInt(number)
  }
}
