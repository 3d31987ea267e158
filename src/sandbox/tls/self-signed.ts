import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { bitString, derTrue, element, integer, octetString, oid, sequence, setOf, utcTime, utf8 } from './der.ts'

/** A certificate that signs itself, with its key, both as PEM. */
export interface SelfSigned {
  readonly certificate: string
  readonly key: string
}

const year = 365 * 24 * 3_600_000

/** Makes a certificate for the loopback address that clients can trust as its own authority (RFC 5280). */
export function selfSigned(now: number): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(setOf(sequence(oid('2.5.4.3'), utf8('lading-sandbox'))))
  const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'))
  const body = sequence(
    element(0xa0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    ecdsaWithSha256,
    name,
    // Clocks of clients may run behind.
    sequence(utcTime(now - 3_600_000), utcTime(now + year)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, extensions()),
  )
  const signature = sign('sha256', body, privateKey)
  return {
    certificate: pem('CERTIFICATE', sequence(body, ecdsaWithSha256, bitString(signature))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function extensions(): Buffer {
  const dns = (host: string): Buffer => element(0x82, Buffer.from(host))
  const address = (...bytes: number[]): Buffer => element(0x87, Buffer.from(bytes))
  const loopback6 = address(...Array.from({ length: 15 }, () => 0), 1)
  return sequence(
    sequence(oid('2.5.29.19'), derTrue, octetString(sequence(derTrue))),
    // digitalSignature and keyCertSign.
    sequence(oid('2.5.29.15'), derTrue, octetString(bitString(Buffer.from([0x84]), 2))),
    sequence(oid('2.5.29.37'), octetString(sequence(oid('1.3.6.1.5.5.7.3.1')))),
    sequence(oid('2.5.29.17'), octetString(sequence(dns('localhost'), address(127, 0, 0, 1), loopback6))),
  )
}

function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  // Not negative, and no leading zero byte.
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
