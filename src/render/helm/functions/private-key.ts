import { checkPrimeSync, createECDH, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import {
  integer,
  objectId,
  octets,
  pem,
  readElements,
  readInteger,
  sequence,
  unsignedBytes,
  bits,
  element,
} from './der.ts'
import { type RandomSource, randomBelow } from './random-source.ts'

/** A new RSA key: the machine's own, or with a seed the one that follows from it. */
export function rsaKey(random: RandomSource, size: 2048 | 4096): KeyObject {
  if (!random.isSeeded) return generateKeyPairSync('rsa', { modulusLength: size }).privateKey
  const exponent = 65_537n
  for (;;) {
    const [p, q] = [prime(random, size / 2), prime(random, size / 2)]
    const totient = (p - 1n) * (q - 1n)
    if (p === q || totient % exponent === 0n) continue
    const [high, low] = p > q ? [p, q] : [q, p]
    const d = inverse(exponent, totient)
    const numbers = [0n, high * low, exponent, d, high, low, d % (high - 1n), d % (low - 1n), inverse(low, high)]
    return createPrivateKey({ key: sequence(...numbers.map(integer)), format: 'der', type: 'pkcs1' })
  }
}

/** A new key on the curve P-256. */
export function ecdsaKey(random: RandomSource): KeyObject {
  if (!random.isSeeded) return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const secret = unsignedBytes(randomBelow(random, order - 1n) + 1n, 32)
  const exchange = createECDH('prime256v1')
  exchange.setPrivateKey(secret)
  const der = sequence(
    integer(1n),
    octets(secret),
    element(0xa0, objectId('1.2.840.10045.3.1.7')),
    element(0xa1, bits(exchange.getPublicKey())),
  )
  return createPrivateKey({ key: der, format: 'der', type: 'sec1' })
}

/** A new Ed25519 key. */
export function ed25519Key(random: RandomSource): KeyObject {
  const der = sequence(integer(0n), sequence(objectId('1.3.101.112')), octets(octets(random.bytes(32))))
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
}

/** A new DSA key of 2048 and 256 bits, as the PEM that sprig writes. */
export function dsaKeyPem(random: RandomSource): string {
  const { p, q, g, x } = random.isSeeded ? seededDsa(random) : generatedDsa()
  return pem('DSA PRIVATE KEY', sequence(...[0n, p, q, g, power(g, x, p), x].map(integer)))
}

interface DsaNumbers {
  readonly p: bigint
  readonly q: bigint
  readonly g: bigint
  readonly x: bigint
}

function generatedDsa(): DsaNumbers {
  const { privateKey } = generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 256 })
  const [outer] = readElements(privateKey.export({ format: 'der', type: 'pkcs8' }))
  const [, algorithm, key] = readElements(outer!.content)
  const parameters = readElements(readElements(algorithm!.content)[1]!.content)
  const [p = 0n, q = 0n, g = 0n] = parameters.map(({ content }) => readInteger(content))
  return { p, q, g, x: readInteger(readElements(key!.content)[0]!.content) }
}

function seededDsa(random: RandomSource): DsaNumbers {
  const q = prime(random, 256)
  for (;;) {
    const candidate = numberOf(random, 2048)
    const p = candidate - (candidate % (2n * q)) + 1n
    if (p.toString(2).length !== 2048 || !isPrime(p)) continue
    for (let h = 2n; ; h++) {
      const g = power(h, (p - 1n) / q, p)
      if (g > 1n) return { p, q, g, x: randomBelow(random, q - 1n) + 1n }
    }
  }
}

const smallPrimes = [
  3n,
  5n,
  7n,
  11n,
  13n,
  17n,
  19n,
  23n,
  29n,
  31n,
  37n,
  41n,
  43n,
  47n,
  53n,
  59n,
  61n,
  67n,
  71n,
  73n,
  79n,
  83n,
  89n,
  97n,
]

function prime(random: RandomSource, size: number): bigint {
  for (;;) {
    const candidate = numberOf(random, size) | 1n
    if (isPrime(candidate)) return candidate
  }
}

function isPrime(candidate: bigint): boolean {
  return smallPrimes.every((small) => candidate % small !== 0n) && checkPrimeSync(candidate)
}

// The two highest bits are set, so that a product of two has the full length.
function numberOf(random: RandomSource, size: number): bigint {
  const bytes = random.bytes(size / 8)
  bytes[0]! |= 0xc0
  return BigInt(`0x${bytes.toString('hex')}`)
}

/** base^exponent modulo a number. */
export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, square] = [1n, base % modulus]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/** The number that times `value` is 1 modulo a number. */
export function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [((value % modulus) + modulus) % modulus, modulus, 1n, 0n]
  while (a > 1n) {
    const quotient = a / b
    ;[a, b, x, y] = [b, a % b, y, x - quotient * y]
  }
  return ((x % modulus) + modulus) % modulus
}
