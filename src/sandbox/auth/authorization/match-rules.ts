import type { Attributes, ResourceAttributes } from './attributes.ts'
import type { PolicyRule } from './rbac.ts'

/** Whether one of the rules allows what is wanted. */
export function rulesAllow(rules: readonly PolicyRule[], wanted: Attributes): boolean {
  return rules.some((rule) => {
    if (!hasOrAll(rule['verbs'], wanted.verb)) return false
    return wanted.resource === undefined
      ? matchesUrl(texts(rule['nonResourceURLs']), wanted.path)
      : matchesResource(rule, wanted.resource)
  })
}

function matchesResource(rule: PolicyRule, { group, resource, subresource, name }: ResourceAttributes): boolean {
  if (!hasOrAll(rule['apiGroups'], group)) return false
  const full = subresource === '' ? resource : `${resource}/${subresource}`
  const resources = texts(rule['resources'])
  const anyParent = subresource !== '' && resources.includes(`*/${subresource}`)
  if (!resources.includes('*') && !resources.includes(full) && !anyParent) return false
  const names = texts(rule['resourceNames'])
  return names.length === 0 || names.includes(name)
}

function matchesUrl(urls: readonly string[], path: string): boolean {
  return urls.some((url) => url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1))))
}

function hasOrAll(values: unknown, wanted: string): boolean {
  const all = texts(values)
  return all.includes('*') || all.includes(wanted)
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
