import { expect, it } from 'vitest'
import { isLocalRequest } from './local-request.ts'

it.each([
  [{ host: '127.0.0.1:5000' }, true],
  [{ host: '[::1]:5000' }, true],
  [{ host: 'localhost:5000' }, true],
  [{ host: 'host.docker.internal:5000' }, true],
  [{}, true],
  [{ host: '127.0.0.1:5000', origin: 'http://localhost:3000' }, true],
  [{ host: 'rebound.example.com:5000' }, false],
  [{ host: 'localhost.example.com' }, false],
  [{ host: '127.0.0.1.example.com' }, false],
  [{ host: '127.0.0.1:5000', origin: 'https://example.com' }, false],
  [{ host: '127.0.0.1:5000', origin: 'null' }, false],
  [{ host: 'no host' }, false],
])('%j is meant for this machine: %s', (headers, expected) => {
  expect(isLocalRequest({ headers })).toBe(expected)
})
