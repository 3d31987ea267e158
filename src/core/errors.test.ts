import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { errorTable } from './error-table.ts'
import { isLadingError, LadingError, toLadingError } from './errors.ts'

describe('an error', () => {
  it('carries its code, its facts and its cause', () => {
    const cause = new Error('socket hang up')
    const error = new LadingError('kube.unreachable', 'cannot reach the API server', { server: 'a' }, { cause })
    expect(error.cause).toBe(cause)
    expect(error.retryable).toBe(true)
    expect(isLadingError(error, 'kube.unreachable')).toBe(true)
    expect(isLadingError(error, 'kube.tls')).toBe(false)
  })

  it('shows its next step and never its cause as JSON', () => {
    const error = new LadingError('kube.tls', 'bad certificate', {}, { cause: new Error('token abc') })
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: 'kube.tls',
      message: 'bad certificate',
      details: {},
      next: errorTable['kube.tls'].next,
    })
  })

  it('that nobody foresaw is internal, an abort is cancelled', () => {
    expect(toLadingError(new TypeError('x is not a function')).code).toBe('internal')
    expect(toLadingError(new DOMException('stop', 'AbortError')).code).toBe('cancelled')
    expect(toLadingError('text').message).toBe('text')
  })
})

it('the documentation lists every error code with its exit code', () => {
  const page = readFileSync(new URL('../../docs/reference/errors.md', import.meta.url), 'utf8')
  for (const [code, { status, exit }] of Object.entries(errorTable)) {
    expect(page).toContain(`| \`${code}\` | ${status} | ${exit} |`)
  }
})

it('every row has a sentence that says what to do, and exit codes are those of the legend', () => {
  for (const row of Object.values(errorTable)) {
    expect(row.next).toMatch(/\.$/)
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130]).toContain(row.exit)
    expect(row.status).toBeGreaterThanOrEqual(400)
  }
})

it('the code of an error says what its details are', () => {
  const error: unknown = new LadingError('release.locked', 'shop is being upgraded', {
    name: 'shop',
    namespace: 'web',
    holder: 'ann',
    operation: 'upgrade',
  })
  if (!isLadingError(error, 'release.locked')) throw error
  const holder: string = error.details.holder
  expect(holder).toBe('ann')
  // @ts-expect-error: a locked release has a holder
  expect(new LadingError('release.locked', 'locked', { name: 'shop', namespace: 'web' }).details.holder).toBeUndefined()
  // @ts-expect-error: a code with facts of its own cannot be thrown without them
  expect(new LadingError('job.not-found', 'no job').details).toEqual({})
  const any: LadingError = new LadingError('wave.cycle', 'a cycle', { objects: ['a', 'b'] })
  expect(any.details.objects).toEqual(['a', 'b'])
})
