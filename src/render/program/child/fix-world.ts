import crypto from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { denied, replace } from './denial.ts'

/** What a program used of the time and of randomness. */
export interface UsedWorld {
  drewRandom: boolean
  readClock: boolean
}

/** Where time and randomness come from. */
export interface FixedWorld {
  /** 32 bytes in hexadecimal. */
  readonly key: string
  readonly renderedAt: string
  readonly reproducible: boolean
}

/** Gives the program one time, and randomness that follows from a key, so that it renders the same again. */
export function fixWorld({ key, renderedAt, reproducible }: FixedWorld): UsedWorld {
  const used: UsedWorld = { drewRandom: false, readClock: false }
  const stream = crypto.createCipheriv('chacha20', Buffer.from(key, 'hex'), Buffer.alloc(16))
  const draw = (count: number): Buffer => {
    used.drewRandom = true
    return stream.update(Buffer.alloc(count))
  }
  fixTime(Date.parse(renderedAt), used)
  replace(Math, 'random', () => Number(draw(8).readBigUInt64LE() >> 11n) / 2 ** 53)
  if (reproducible) refuseRandom()
  else fixRandom(draw)
  const keys = 'which would come out otherwise each time: give the key as a value'
  for (const name of generators) replace(crypto, name, denied(`crypto.${name} makes a key, ${keys}`))
  replace(crypto.webcrypto.subtle, 'generateKey', denied(`crypto.subtle.generateKey makes a key, ${keys}`))
  return used
}

const generators = [
  'generateKey',
  'generateKeySync',
  'generateKeyPair',
  'generateKeyPairSync',
  'generatePrime',
  'generatePrimeSync',
]

const drawers = ['randomBytes', 'randomFill', 'randomFillSync', 'randomInt', 'randomUUID']

function fixTime(at: number, used: UsedWorld): void {
  const now = (): number => {
    used.readClock = true
    return at
  }
  const RealDate = Date
  const FixedDate = new Proxy(RealDate, {
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
    apply: () => new RealDate(now()).toString(),
  })
  replace(RealDate, 'now', now)
  replace(RealDate.prototype, 'constructor', FixedDate)
  Object.defineProperty(globalThis, 'Date', { value: FixedDate, writable: true, configurable: true })
  replace(performance, 'now', () => 0)
  replace(
    process,
    'hrtime',
    Object.assign(() => [0, 0], { bigint: () => 0n }),
  )
  replace(process, 'uptime', () => 0)
}

function refuseRandom(): void {
  const why = 'which makes the artifact another one each time: give the value instead'
  for (const name of drawers) replace(crypto, name, denied(`crypto.${name} draws a random value, ${why}`))
  for (const name of ['getRandomValues', 'randomUUID']) {
    replace(crypto.webcrypto, name, denied(`crypto.${name} draws a random value, ${why}`))
  }
}

function fixRandom(draw: (count: number) => Buffer): void {
  const fill = <Target extends ArrayBufferView | ArrayBuffer>(target: Target, offset = 0, size?: number): Target => {
    const unit = 'BYTES_PER_ELEMENT' in target ? Number(target.BYTES_PER_ELEMENT) : 1
    const bytes = ArrayBuffer.isView(target)
      ? new Uint8Array(target.buffer, target.byteOffset, target.byteLength)
      : new Uint8Array(target)
    const from = offset * unit
    const count = size === undefined ? bytes.length - from : size * unit
    bytes.set(draw(count), from)
    return target
  }
  const below = (bound: number): number => {
    // Of 48 bits, those past the last whole multiple are drawn again.
    const limit = 2 ** 48 - (2 ** 48 % bound)
    for (;;) {
      const drawn = draw(6).readUIntLE(0, 6)
      if (drawn < limit) return drawn % bound
    }
  }
  const later = <Value>(value: Value, done: unknown): Value | undefined => {
    if (typeof done !== 'function') return value
    process.nextTick(() => (done as (error: null, value: Value) => void)(null, value))
    return undefined
  }
  const uuid = (): string => {
    const bytes = draw(16)
    bytes[6] = (bytes[6]! & 0x0f) | 0x40
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
  replace(crypto, 'randomBytes', (count: number, done?: unknown) => later(draw(count), done))
  replace(crypto, 'randomFillSync', fill)
  replace(crypto, 'randomFill', (target: Uint8Array, ...rest: unknown[]) => {
    const [offset, size] = rest.filter((each) => typeof each === 'number')
    return later(fill(target, offset, size), rest.at(-1))
  })
  replace(crypto, 'randomInt', (from: number, to?: unknown, done?: unknown) => {
    const [min, max] = typeof to === 'number' ? [from, to] : [0, from]
    return later(min + below(max - min), typeof to === 'function' ? to : done)
  })
  replace(crypto, 'randomUUID', uuid)
  // `crypto.getRandomValues` is this one too.
  replace(crypto.webcrypto, 'getRandomValues', (target: Uint8Array) => fill(target))
  replace(crypto.webcrypto, 'randomUUID', uuid)
}
