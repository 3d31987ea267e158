import { expect, it } from 'vitest'
import { LadingError } from '../../core/index.ts'
import { cancelled, wireError } from './wire-error.ts'

it.each([
  ['ECONNREFUSED', 'kube.unreachable'],
  ['ECONNRESET', 'kube.unreachable'],
  ['ENOTFOUND', 'kube.unreachable'],
  ['EAI_AGAIN', 'kube.unreachable'],
  ['UND_ERR_SOCKET', 'kube.unreachable'],
  ['CERT_HAS_EXPIRED', 'kube.tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'kube.tls'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'kube.tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'kube.tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'kube.tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'kube.tls'],
  ['EPROTO', 'kube.tls'],
  ['UND_ERR_HEADERS_TIMEOUT', 'kube.timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'kube.timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'kube.timeout'],
  ['ETIMEDOUT', 'kube.timeout'],
  ['UND_ERR_DESTROYED', 'cancelled'],
  ['UND_ERR_INVALID_ARG', 'internal'],
])('%s is %s', (code, expected) => {
  const cause = Object.assign(new Error('x'), { code })
  const error = wireError(cause, 'https://kube')
  expect(error).toMatchObject({ code: expected, cause, details: { server: 'https://kube', reason: code } })
})

it('finds the code inside of aggregates and wrappers', () => {
  const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' })
  const expired = Object.assign(new Error('x'), {
    code: 'UND_ERR_PRX_TLS',
    cause: Object.assign(new Error('y'), { code: 'CERT_HAS_EXPIRED' }),
  })
  expect(wireError(new AggregateError([refused, refused]), 's').details.reason).toBe('ECONNREFUSED')
  expect(wireError(expired, 's').code).toBe('kube.tls')
})

it('does not judge by text', () => {
  expect(wireError(new Error('certificate has expired, ECONNREFUSED'), 's').code).toBe('internal')
})

it('gives the caller’s own error when a signal was aborted with one', () => {
  const own = new LadingError('wait.timeout', 'enough')
  expect(cancelled(own)).toBe(own)
  expect(cancelled(new DOMException('x', 'TimeoutError')).code).toBe('kube.timeout')
  expect(cancelled(new DOMException('x', 'AbortError')).code).toBe('cancelled')
  expect(cancelled(undefined).code).toBe('cancelled')
})
