import { isRecord } from '../../core/index.ts'
import type { ApiAnswer, ApiRequest } from '../api/handle.ts'
import { type Backend, timestamp } from '../backend.ts'
import type { ResourceType } from '../resource-type.ts'
import { badRequest, invalid } from '../status-error.ts'
import { text } from '../object-parts.ts'
import type { Attributes } from './authorization/attributes.ts'
import type { Authenticator } from './authentication/authenticator.ts'
import { decide, rulesFor } from './authorization/rbac.ts'
import { issuer } from './authentication/service-account-tokens.ts'
import { type User, userInfo } from './authentication/user.ts'

/** Answers the kinds that ask who somebody is and what they may; undefined for every other request. */
export type Reviews = (request: ApiRequest, user: User) => ApiAnswer | undefined

type Fields = Record<string, unknown>

/** Reviews are answered from what is stored, and never stored themselves. */
export function reviewsWith(backend: Backend, authenticator: Authenticator): Reviews {
  return (request, user) => {
    const { type, subresource } = request.info
    const review = subresource === undefined && isReviewGroup(type.group) ? reviews[type.kind] : undefined
    if (review === undefined || request.method !== 'POST') return undefined
    if (!isRecord(request.body)) throw badRequest('the request body is not an object')
    const spec = isRecord(request.body['spec']) ? request.body['spec'] : {}
    const given = isRecord(request.body['metadata']) ? request.body['metadata'] : {}
    const metadata = {
      ...given,
      ...(request.info.namespace === undefined ? {} : { namespace: request.info.namespace }),
    }
    const answered = review({ type, spec, user, backend, authenticator })
    return {
      code: 201,
      warnings: [],
      body: { kind: type.kind, apiVersion: `${type.group}/${type.version}`, metadata, ...answered },
    }
  }
}

interface Asked {
  readonly type: ResourceType
  readonly spec: Fields
  readonly user: User
  readonly backend: Backend
  readonly authenticator: Authenticator
}

const reviews: Readonly<Record<string, (asked: Asked) => Fields>> = {
  SelfSubjectReview: ({ user, backend }) => ({
    metadata: { creationTimestamp: timestamp(backend.clock) },
    status: { userInfo: userInfo(user) },
  }),
  SelfSubjectAccessReview: (asked) => ({ spec: asked.spec, status: accessStatus(asked, asked.user) }),
  SubjectAccessReview: subjectAccess,
  LocalSubjectAccessReview: subjectAccess,
  SelfSubjectRulesReview: ({ spec, user, backend }) => {
    const rules = rulesFor(backend.store, user, text(spec['namespace']))
    return {
      spec: {},
      status: {
        resourceRules: rules.filter((rule) => Array.isArray(rule['resources'])),
        nonResourceRules: rules.filter((rule) => Array.isArray(rule['nonResourceURLs'])),
        incomplete: false,
      },
    }
  },
  TokenReview: ({ spec, authenticator }) => {
    const user = authenticator.userOf(text(spec['token']))
    if (user === undefined) return { spec, status: { user: {}, error: 'invalid bearer token' } }
    return { spec, status: { authenticated: true, user: userInfo(user), audiences: [issuer] } }
  },
}

function subjectAccess(asked: Asked): Fields {
  const { spec } = asked
  const groups = Array.isArray(spec['groups']) ? spec['groups'].filter((group) => typeof group === 'string') : []
  if (text(spec['user']) === '' && groups.length === 0) {
    const cause = { reason: 'FieldValueInvalid', field: 'spec.user' }
    const message = 'Invalid value: "": at least one of user or group must be specified'
    throw invalid({ ...asked.type, kind: '' }, '', [{ ...cause, message }])
  }
  return { spec, status: accessStatus(asked, { name: text(spec['user']), groups }) }
}

function accessStatus({ type, spec, backend }: Asked, user: User): Fields {
  const resource = spec['resourceAttributes']
  const path = spec['nonResourceAttributes']
  if (isRecord(resource) === isRecord(path)) {
    const message = 'Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified'
    throw invalid({ ...type, kind: '' }, '', [
      { reason: 'FieldValueInvalid', message, field: 'spec.resourceAttributes' },
    ])
  }
  const { allowed, reason } = decide(backend.store, user, wantedBy(resource, path))
  return { allowed, ...(reason === '' ? {} : { reason }) }
}

function wantedBy(resource: unknown, path: unknown): Attributes {
  if (!isRecord(resource)) {
    const asked = isRecord(path) ? path : {}
    return { verb: text(asked['verb']), path: text(asked['path']) }
  }
  return {
    verb: text(resource['verb']),
    path: '',
    resource: {
      group: text(resource['group']),
      resource: text(resource['resource']),
      subresource: text(resource['subresource']),
      namespace: text(resource['namespace']),
      name: text(resource['name']),
    },
  }
}

function isReviewGroup(group: string): boolean {
  return group === 'authorization.k8s.io' || group === 'authentication.k8s.io'
}
