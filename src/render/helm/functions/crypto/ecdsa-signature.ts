import { createECDH, createHash, createHmac, type KeyObject } from 'node:crypto'
import { GoError } from '../../../gotemplate/value.ts'
import { integer, readElements, readInteger, sequence, unsignedBytes } from '../../../../core/der/index.ts'
import { inverse } from './private-key.ts'

interface Curve {
  /** The signature algorithm that Go chooses for the curve. */
  readonly id: string
  readonly hash: string
  readonly order: bigint
}

const curves: Readonly<Record<string, Curve>> = {
  secp224r1: {
    id: '1.2.840.10045.4.3.2',
    hash: 'sha256',
    order: 0xffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3dn,
  },
  prime256v1: {
    id: '1.2.840.10045.4.3.2',
    hash: 'sha256',
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  },
  secp384r1: {
    id: '1.2.840.10045.4.3.3',
    hash: 'sha384',
    order: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  },
  secp521r1: {
    id: '1.2.840.10045.4.3.4',
    hash: 'sha512',
    order:
      0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
  },
}

/** The object id of the algorithm with which a key signs. */
export function ecdsaAlgorithm(key: KeyObject): string {
  return curveOf(key).curve.id
}

/**
 * An ECDSA signature whose nonce follows from the key and the message (RFC 6979): the same certificate is signed the same each time, and
 * no seed can make one nonce serve two messages, which would give the key away.
 */
export function signEcdsa(body: Uint8Array, key: KeyObject): Buffer {
  const { name, curve } = curveOf(key)
  const { hash, order } = curve
  const size = Math.ceil(order.toString(16).length / 2)
  const digest = createHash(hash).update(body).digest()
  const message = leftmost(digest, order)
  const secret = scalarOf(key)
  for (const nonce of nonces(curve, secret, message % order)) {
    const point = createECDH(name)
    point.setPrivateKey(unsignedBytes(nonce, size))
    const length = (point.getPublicKey().length - 1) / 2
    const r = readInteger(point.getPublicKey().subarray(1, 1 + length)) % order
    const s = (inverse(nonce, order) * (message + r * secret)) % order
    if (r !== 0n && s !== 0n) return sequence(integer(r), integer(s))
  }
  throw new GoError('ecdsa: no nonce could be found')
}

// A JWK would not do: there is none for P-224.
function scalarOf(key: KeyObject): bigint {
  const [outer] = readElements(key.export({ format: 'der', type: 'sec1' }))
  return readInteger(readElements(outer!.content)[1]!.content)
}

function curveOf(key: KeyObject): { name: string; curve: Curve } {
  const name = key.asymmetricKeyDetails?.namedCurve ?? ''
  const curve = Object.hasOwn(curves, name) ? curves[name] : undefined
  if (curve === undefined) throw new GoError('x509: unsupported elliptic curve')
  return { name, curve }
}

/** RFC 6979, section 3.2, with the candidates that it goes on to. */
function* nonces({ hash, order }: Curve, secret: bigint, message: bigint): Generator<bigint> {
  const size = Math.ceil(order.toString(2).length / 8)
  const input = Buffer.concat([unsignedBytes(secret, size), unsignedBytes(message, size)])
  const hmac = (key: Buffer, ...parts: Buffer[]): Buffer => createHmac(hash, key).update(Buffer.concat(parts)).digest()
  const length = hmac(Buffer.alloc(1)).length
  let value: Buffer = Buffer.alloc(length, 1)
  let key: Buffer = Buffer.alloc(length)
  for (const mark of [0, 1]) {
    key = hmac(key, value, Buffer.of(mark), input)
    value = hmac(key, value)
  }
  for (;;) {
    let bytes = Buffer.alloc(0)
    while (bytes.length < size) {
      value = hmac(key, value)
      bytes = Buffer.concat([bytes, value])
    }
    const candidate = leftmost(bytes.subarray(0, size), order)
    if (candidate > 0n && candidate < order) yield candidate
    key = hmac(key, value, Buffer.of(0))
    value = hmac(key, value)
  }
}

/** As many of the first bits as the order has. */
function leftmost(bytes: Buffer, order: bigint): bigint {
  const excess = bytes.length * 8 - order.toString(2).length
  return excess > 0 ? readInteger(bytes) >> BigInt(excess) : readInteger(bytes)
}
