type Texts = Readonly<Record<string, string>>

/** Whether labels or annotations fulfil a selector. */
export type LabelMatch = (texts: Texts) => boolean

const key = String.raw`(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?/)?[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?`
const equality = new RegExp(String.raw`^(${key})\s*(==?|!=)\s*([^\s,()!=<>]*)$`)
const setBased = new RegExp(String.raw`^(${key})\s+(in|notin)\s*\(([^()]*)\)$`)
const presence = new RegExp(String.raw`^(!?)\s*(${key})$`)
const comparison = new RegExp(String.raw`^(${key})\s*([<>])\s*(-?\d+)$`)

/** Reads a selector as the Kubernetes API does: `a=b,c!=d,e in (f,g),h,!i`, or returns the part that is not valid. An empty selector matches everything. */
export function parseLabelSelector(selector: string): LabelMatch | { readonly problem: string } {
  if (selector.trim() === '') return () => true
  const requirements: LabelMatch[] = []
  for (const each of splitRequirements(selector)) {
    const match = parseRequirement(each.trim())
    if (match === undefined) return { problem: each }
    requirements.push(match)
  }
  return (texts) => requirements.every((fulfilled) => fulfilled(texts))
}

function splitRequirements(selector: string): string[] {
  return selector.split(/,(?![^()]*\))/)
}

function parseRequirement(text: string): LabelMatch | undefined {
  const equal = equality.exec(text)
  if (equal !== null) {
    const [, name, operator, value] = equal as unknown as [string, string, string, string]
    return operator === '!=' ? (texts) => own(texts, name) !== value : (texts) => own(texts, name) === value
  }
  const set = setBased.exec(text)
  if (set !== null) {
    const [, name, operator, list] = set as unknown as [string, string, string, string]
    const values = new Set(list.split(',').map((value) => value.trim()))
    return (texts) => {
      const value = own(texts, name)
      return (value !== undefined && values.has(value)) === (operator === 'in')
    }
  }
  const present = presence.exec(text)
  if (present !== null) {
    const [, not, name] = present as unknown as [string, string, string]
    return (texts) => Object.hasOwn(texts, name) === (not === '')
  }
  const compared = comparison.exec(text)
  if (compared === null) return undefined
  const [, name, operator, number] = compared as unknown as [string, string, string, string]
  return (texts) => {
    const value = own(texts, name)
    if (value === undefined || !/^-?\d+$/.test(value)) return false
    return operator === '<' ? BigInt(value) < BigInt(number) : BigInt(value) > BigInt(number)
  }
}

// A label may be named as something that every JavaScript object inherits.
function own(texts: Texts, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined
}
