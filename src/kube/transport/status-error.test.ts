import { expect, it } from 'vitest'
import { statusError } from './status-error.ts'
import type { KubeRequest } from './transport.ts'

const request: KubeRequest = { method: 'PATCH', path: '/api/v1/namespaces/a/configmaps/b?secret=1' }

it.each([
  [400, 'BadRequest', [], 'kube.bad-request'],
  [401, 'Unauthorized', [], 'kube.unauthorized'],
  [403, 'Forbidden', [], 'kube.forbidden'],
  [403, 'Forbidden', ['NamespaceTerminating'], 'kube.namespace-terminating'],
  [404, 'NotFound', [], 'kube.not-found'],
  [405, 'MethodNotAllowed', [], 'kube.unsupported'],
  [406, 'NotAcceptable', [], 'kube.unsupported'],
  [409, 'Conflict', [], 'kube.conflict'],
  [409, 'AlreadyExists', [], 'kube.already-exists'],
  [409, 'Conflict', ['FieldManagerConflict', 'FieldManagerConflict'], 'kube.field-conflict'],
  [410, 'Expired', [], 'kube.expired'],
  [415, 'UnsupportedMediaType', [], 'kube.unsupported'],
  [422, 'Invalid', ['FieldValueInvalid'], 'kube.invalid'],
  [429, 'TooManyRequests', [], 'kube.throttled'],
  [500, 'InternalError', [], 'kube.server-error'],
  [503, 'ServiceUnavailable', [], 'kube.server-error'],
  [504, 'Timeout', [], 'kube.timeout'],
  [302, undefined, [], 'kube.bad-request'],
] as const)('%i %s with causes %j is %s', (status, reason, causes, code) => {
  const body = { kind: 'Status', reason, details: { causes: causes.map((each) => ({ reason: each })) } }
  expect(statusError(status, body, request).code).toBe(code)
})

it('keeps the facts that the API server gives', () => {
  const body = {
    kind: 'Status',
    message: 'ConfigMap "b" is invalid',
    reason: 'Invalid',
    details: {
      name: 'b',
      group: 'apps',
      kind: 'ConfigMap',
      causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'data' }],
      retryAfterSeconds: 3,
    },
  }
  const error = statusError(422, body, request)
  expect(error.message).toBe('ConfigMap "b" is invalid')
  expect(error.details).toEqual({
    status: 422,
    reason: 'Invalid',
    kind: 'ConfigMap',
    name: 'b',
    group: 'apps',
    causes: [{ reason: 'FieldValueRequired', field: 'data', message: 'Required value' }],
    retryAfterSeconds: 3,
  })
})

it('takes Retry-After from the header before the Status, and ignores what is no number', () => {
  const body = { kind: 'Status', details: { retryAfterSeconds: 3 } }
  expect(statusError(429, body, request, { 'retry-after': '8' }).details.retryAfterSeconds).toBe(8)
  expect(statusError(429, body, request, { 'retry-after': 'soon' }).details.retryAfterSeconds).toBe(3)
})

it.each([undefined, 'text', [], { kind: 'Other', message: 'not from Kubernetes' }, { kind: 'Status', details: 'x' }])(
  'names method and path without query where the body is no Status: %j',
  (body) => {
    const error = statusError(502, body, request)
    expect(error.message).toBe('the API server answered 502 to PATCH /api/v1/namespaces/a/configmaps/b')
    expect(error.details).toEqual({ status: 502 })
  },
)

it('takes the values of a Secret out of what the server, or a webhook, says about it', () => {
  const password = 'correct "horse"\nbattery'
  const encoded = Buffer.from(password).toString('base64')
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'key' },
    data: { password: encoded, pin: 12345678, tiny: 'YQ==' },
    stringData: { token: 'swordfish' },
  }
  const message = `webhook denied ${password}, ${JSON.stringify(password)}, ${encoded}, swordfish and {Value:12345678}: a bad key`
  const body = {
    kind: 'Status',
    message,
    reason: 'Invalid',
    details: { causes: [{ message, field: 'data.password' }] },
  }
  const error = statusError(422, body, { method: 'PATCH', path: '/a', body: secret })
  expect(error.message).toBe('webhook denied ***, "***", ***, *** and {Value:***}: a bad key')
  expect(error.details.causes).toEqual([{ field: 'data.password', message: error.message }])
  const other = { ...secret, kind: 'ConfigMap' }
  expect(statusError(422, body, { method: 'PATCH', path: '/a', body: other }).message).toBe(message)
})
