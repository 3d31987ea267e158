import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import {
  bits,
  derTrue,
  element,
  integer,
  objectId,
  octets,
  pem,
  sequence,
  set,
  time,
  utf8,
} from '../../core/der/index.ts'

/** A certificate that signs itself, with its key, both as PEM. */
export interface SelfSigned {
  readonly certificate: string
  readonly key: string
}

const year = 365 * 24 * 3_600_000

/** Makes a certificate for the loopback address that clients can trust as its own authority (RFC 5280). */
export function selfSigned(now: number): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(objectId('2.5.4.3'), utf8('lading-sandbox'))))
  const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'))
  const body = sequence(
    element(0xa0, integer(2n)),
    integer(serialNumber()),
    ecdsaWithSha256,
    name,
    // Clocks of clients may run behind.
    sequence(time(new Date(now - 3_600_000)), time(new Date(now + year))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, extensions()),
  )
  const signature = sign('sha256', body, privateKey)
  return {
    certificate: pem('CERTIFICATE', sequence(body, ecdsaWithSha256, bits(signature))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function extensions(): Buffer {
  const dns = (host: string): Buffer => element(0x82, Buffer.from(host))
  const address = (...bytes: number[]): Buffer => element(0x87, Buffer.from(bytes))
  const loopback6 = address(...Array.from({ length: 15 }, () => 0), 1)
  return sequence(
    sequence(objectId('2.5.29.19'), derTrue, octets(sequence(derTrue))),
    // digitalSignature and keyCertSign.
    sequence(objectId('2.5.29.15'), derTrue, octets(bits(Buffer.from([0x84]), 2))),
    sequence(objectId('2.5.29.37'), octets(sequence(objectId('1.3.6.1.5.5.7.3.1')))),
    sequence(objectId('2.5.29.17'), octets(sequence(dns('localhost'), address(127, 0, 0, 1), loopback6))),
  )
}

/** 128 random bits; the first byte is neither zero nor negative. */
function serialNumber(): bigint {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return BigInt(`0x${bytes.toString('hex')}`)
}
