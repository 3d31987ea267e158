import type { KubeObject } from '../../../core/index.ts'
import type { Cause } from '../../status-error.ts'
import { partOf } from '../../object-parts.ts'
import { invalidValue, notSupported, required } from '../causes.ts'
import type { Family } from '../family.ts'
import type { KindRules } from '../kind-rules.ts'
import { type Part, partsOf, textOf } from '../read.ts'
import { frozen } from './storage.ts'

/** Roles and their bindings. */
export const rbac: Family = {
  kinds: {
    'rbac.authorization.k8s.io/Role': roleRules(true),
    'rbac.authorization.k8s.io/ClusterRole': roleRules(false),
    'rbac.authorization.k8s.io/RoleBinding': {
      validate: (object, old) => validateBinding(object, old, ['ClusterRole', 'Role']),
    },
    'rbac.authorization.k8s.io/ClusterRoleBinding': {
      validate: (object, old) => validateBinding(object, old, ['ClusterRole']),
    },
  },
}

const group = 'rbac.authorization.k8s.io'

function roleRules(namespaced: boolean): KindRules {
  const tidy = (role: KubeObject): void => {
    // Go stores no empty list.
    if (partsOf(role, 'rules').length === 0) role['rules'] = null
  }
  return {
    prepareCreate: tidy,
    prepareUpdate: tidy,
    validate: (role) =>
      partsOf(role, 'rules').flatMap((rule, index) => validateRule(rule, `rules[${index}]`, namespaced)),
  }
}

function validateRule(rule: Part, path: string, namespaced: boolean): Cause[] {
  const lacks = (field: string): boolean => ((rule[field] ?? []) as unknown[]).length === 0
  const causes: Cause[] = lacks('verbs') ? [required(`${path}.verbs`, 'verbs must contain at least one value')] : []
  if (!lacks('nonResourceURLs')) {
    if (namespaced)
      causes.push(
        invalidValue(
          `${path}.nonResourceURLs`,
          rule['nonResourceURLs'],
          'namespaced rules cannot apply to non-resource URLs',
        ),
      )
    else if (!lacks('apiGroups') || !lacks('resources') || !lacks('resourceNames')) {
      causes.push(
        invalidValue(
          `${path}.nonResourceURLs`,
          rule['nonResourceURLs'],
          'rules cannot apply to both regular resources and non-resource URLs',
        ),
      )
    }
    return causes
  }
  if (lacks('apiGroups'))
    causes.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'))
  if (lacks('resources')) causes.push(required(`${path}.resources`, 'resource rules must supply at least one resource'))
  return causes
}

function validateBinding(binding: KubeObject, old: KubeObject | undefined, kinds: readonly string[]): Cause[] {
  const role = partOf(binding, 'roleRef')
  const causes: Cause[] = []
  if (role['apiGroup'] !== group) causes.push(notSupported('roleRef.apiGroup', role['apiGroup'], [group]))
  const kind = textOf(role, 'kind')
  if (kind !== '' && !kinds.includes(kind)) causes.push(notSupported('roleRef.kind', kind, kinds))
  partsOf(binding, 'subjects').forEach((subject, index) =>
    causes.push(...validateSubject(subject, `subjects[${index}]`, binding.metadata.namespace !== undefined)),
  )
  return [
    ...causes,
    ...frozen(binding, old, ['roleRef'], (field, value) => invalidValue(field, value, 'cannot change roleRef')),
  ]
}

function validateSubject(subject: Part, path: string, namespaced: boolean): Cause[] {
  const apiGroup = textOf(subject, 'apiGroup')
  switch (textOf(subject, 'kind')) {
    case 'ServiceAccount': {
      const causes: Cause[] = apiGroup === '' ? [] : [notSupported(`${path}.apiGroup`, apiGroup, [''])]
      if (!namespaced && textOf(subject, 'namespace') === '') causes.push(required(`${path}.namespace`))
      return causes
    }
    case 'User':
    case 'Group':
      return apiGroup === group ? [] : [notSupported(`${path}.apiGroup`, apiGroup, [group])]
    case '':
      return []
    default:
      return [notSupported(`${path}.kind`, subject['kind'], ['Group', 'ServiceAccount', 'User'])]
  }
}
