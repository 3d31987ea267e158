import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import { connect } from 'node:tls'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { selfSigned } from './self-signed.ts'

describe('the certificate of a sandbox', () => {
  const now = Date.UTC(2026, 5, 1)

  test('is its own authority, for the loopback address only', () => {
    const certificate = new X509Certificate(selfSigned(now).certificate)
    expect(certificate.ca).toBe(true)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.checkIssued(certificate)).toBe(true)
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1')
    expect(certificate.checkHost('localhost')).toBe('localhost')
    expect(certificate.checkIP('10.0.0.1')).toBeUndefined()
  })

  test('is valid from a little before now for a year', () => {
    const certificate = new X509Certificate(selfSigned(now).certificate)
    expect(certificate.validFromDate.getTime()).toBe(now - 3_600_000)
    expect(certificate.validToDate.getTime()).toBe(now + 365 * 24 * 3_600_000)
  })

  test('no two have the same serial number or key', () => {
    const [one, two] = [
      new X509Certificate(selfSigned(now).certificate),
      new X509Certificate(selfSigned(now).certificate),
    ]
    expect(one.serialNumber).not.toBe(two.serialNumber)
    expect(one.fingerprint256).not.toBe(two.fingerprint256)
  })

  test('a TLS client that trusts it connects, and one that does not is refused', async () => {
    const { certificate, key } = selfSigned(Date.now())
    const server = createServer({ cert: certificate, key }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    try {
      const trusting = connect({ host: '127.0.0.1', port, ca: certificate })
      await once(trusting, 'secureConnect')
      expect(trusting.authorized).toBe(true)
      trusting.destroy()
      const strange = connect({ host: '127.0.0.1', port })
      const [error] = (await once(strange, 'error')) as [NodeJS.ErrnoException]
      expect(error.code).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })
})
