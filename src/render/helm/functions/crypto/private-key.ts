import { checkPrimeSync, createECDH, createPrivateKey, type KeyObject } from 'node:crypto'
import { type RandomSource, randomBelow } from '../../../../core/index.ts'
import { integer, objectId, octets, pem, sequence, unsignedBytes, bits, element } from '../../../../core/der/index.ts'

/** A new RSA key. */
export function rsaKey(random: RandomSource, size: 2048 | 4096): KeyObject {
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
  const { p, q, g, x } = dsaNumbers(random)
  return pem('DSA PRIVATE KEY', sequence(...[0n, p, q, g, power(g, x, p), x].map(integer)))
}

interface DsaNumbers {
  readonly p: bigint
  readonly q: bigint
  readonly g: bigint
  readonly x: bigint
}

function dsaNumbers(random: RandomSource): DsaNumbers {
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

let known: readonly number[] | undefined

/** Tried before a number is worth the real test; worked out by the first key. */
function smallPrimes(): readonly number[] {
  known ??= primesUpTo(4096)
  return known
}

/** The first prime after a random number, or after another one where the next is far away. */
function prime(random: RandomSource, size: number): bigint {
  for (;;) {
    const start = numberOf(random, size) | 1n
    const small = smallPrimes()
    const remainders = small.map((each) => Number(start % BigInt(each)))
    for (let offset = 0; offset < 8 * size; offset += 2) {
      if (small.some((each, at) => (remainders[at]! + offset) % each === 0)) continue
      const candidate = start + BigInt(offset)
      if (checkPrimeSync(candidate)) return candidate
    }
  }
}

function isPrime(candidate: bigint): boolean {
  const isDivisible = smallPrimes()
    .slice(0, 60)
    .some((small) => candidate % BigInt(small) === 0n)
  return !isDivisible && checkPrimeSync(candidate)
}

function primesUpTo(limit: number): number[] {
  const primes: number[] = []
  for (let candidate = 3; candidate < limit; candidate += 2)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  return primes
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
