import { createCipheriv, createDecipheriv, createHmac, scryptSync } from 'node:crypto'
import bcrypt from 'bcryptjs'
import { randomBelow, type RandomSource, randomUuid } from '../../../../core/index.ts'
import { fromBytes } from '../../../gotemplate/format/bytes.ts'
import { GoError } from '../../../gotemplate/value.ts'
import { decodeBase64 } from '../encoding/base-encoding.ts'
import { define, type FunctionFamily } from '../define-function.ts'
import { checkLength, type FunctionEnvironment } from '../environment.ts'
import { bytesOf } from '../encoding/go-bytes.ts'
import { passwordCharacters, passwordTemplates } from './password-templates.ts'

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const digits = '0123456789'
const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => 32 + at))

/** Sprig's passwords, hashes of them, and ciphers. */
export function cryptoFunctions(environment: FunctionEnvironment): FunctionFamily {
  const { random, limits } = environment
  const randomText = (alphabet: string) =>
    define(['int'], (count) => {
      checkLength(count, limits)
      return pick(random, alphabet, count)
    })
  return {
    randAlphaNum: randomText(letters + digits),
    randAlpha: randomText(letters),
    randNumeric: randomText(digits),
    randAscii: randomText(printable),
    randBytes: define(['int'], (count) => {
      if (count < 0) throw new GoError('runtime error: makeslice: len out of range')
      checkLength(count, limits)
      return random.bytes(count).toString('base64')
    }),
    uuidv4: define([], () => randomUuid(random)),
    bcrypt: define(['string'], (text) => hashPassword(text, random)),
    // Of sprig 3.3, which Helm 4.1 is built with: a third argument came later.
    htpasswd: define(['string', 'string'], (user, password) =>
      user.includes(':') ? `invalid username: ${user}` : `${user}:${hashPassword(password, random)}`,
    ),
    derivePassword: define(['int', 'string', 'string', 'string', 'string'], derivePassword),
    encryptAES: define(['string', 'string'], (password, text) => {
      if (text === '') return ''
      const iv = random.bytes(16)
      const cipher = createCipheriv('aes-256-cbc', aesKey(password), iv)
      return Buffer.concat([iv, cipher.update(bytesOf(text)), cipher.final()]).toString('base64')
    }),
    decryptAES: define(['string', 'string'], decryptAes),
  }
}

function pick(random: RandomSource, alphabet: string, count: number): string {
  const parts: string[] = []
  for (let at = 0; at < count; at++) parts.push(alphabet[Number(randomBelow(random, BigInt(alphabet.length)))]!)
  return parts.join('')
}

function hashPassword(password: string, random: RandomSource): string {
  if (bytesOf(password).length > 72) {
    return 'failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes'
  }
  return bcrypt.hashSync(password, `$2a$10$${bcrypt.encodeBase64(random.bytes(16), 16)}`)
}

function derivePassword(counter: number, type: string, password: string, user: string, site: string): string {
  const templates = Object.hasOwn(passwordTemplates, type) ? passwordTemplates[type]! : undefined
  if (templates === undefined) return `cannot find password template ${type}`
  const salt = Buffer.concat([Buffer.from(seed), framed(user)])
  const key = scryptSync(bytesOf(password), salt, 64, { N: 32_768, r: 8, p: 2, maxmem: 128 * 1024 * 1024 })
  const hash = createHmac('sha256', key)
    .update(Buffer.concat([Buffer.from(seed), framed(site), uint32(counter)]))
    .digest()
  const template = templates[hash[0]! % templates.length]!
  return Array.from(template, (letter, at) => {
    const characters = passwordCharacters[letter]!
    return characters[hash[at + 1]! % characters.length]
  }).join('')
}

const seed = 'com.lyndir.masterpassword'

function framed(text: string): Buffer {
  const bytes = bytesOf(text)
  return Buffer.concat([uint32(bytes.length), bytes])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

function aesKey(password: string): Buffer {
  const key = Buffer.alloc(32)
  bytesOf(password).copy(key)
  return key
}

function decryptAes(password: string, encoded: string): string {
  if (encoded === '') return ''
  const { bytes, problem } = decodeBase64(bytesOf(encoded))
  if (problem !== undefined) throw new GoError(problem)
  if (bytes.length < 16)
    throw new GoError(`runtime error: slice bounds out of range [:16] with capacity ${bytes.length}`)
  const body = bytes.subarray(16)
  if (body.length % 16 !== 0) throw new GoError('crypto/cipher: input not full blocks')
  if (body.length === 0) throw new GoError('runtime error: index out of range [-1]')
  const decipher = createDecipheriv('aes-256-cbc', aesKey(password), bytes.subarray(0, 16)).setAutoPadding(false)
  const plain = Buffer.concat([decipher.update(body), decipher.final()])
  const end = plain.length - plain.at(-1)!
  if (end < 0) throw new GoError(`runtime error: slice bounds out of range [:${end}]`)
  return fromBytes(plain.subarray(0, end))
}
