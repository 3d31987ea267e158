import { createPrivateKey, type KeyObject } from 'node:crypto'
import { GoError } from '../../../gotemplate/value.ts'
import { decodeBase64 } from '../encoding/base-encoding.ts'

/** One block of PEM. */
export interface PemBlock {
  readonly type: string
  readonly bytes: Uint8Array
}

/** The first block of PEM in a text; undefined where there is none. */
export function readPem(text: string): PemBlock | undefined {
  const start = /(?:^|\n)-----BEGIN ([^\n]*)-----[ \t]*\r?\n/.exec(text)
  if (start === null) return undefined
  const body = text.slice(start.index + start[0].length)
  const end = body.indexOf(`-----END ${start[1]}-----`)
  if (end < 0) return undefined
  const content = body.slice(0, end).replace(/^(?:[^\n:]+: [^\n]*\n)+\n?/, '')
  const { bytes, problem } = decodeBase64(Buffer.from(content.replaceAll(/[ \t]/g, '')))
  return problem === undefined ? { type: start[1]!, bytes } : undefined
}

const forms: Readonly<Record<string, { type: 'pkcs8' | 'pkcs1' | 'sec1'; problem: string }>> = {
  'PRIVATE KEY': { type: 'pkcs8', problem: 'decoding PEM as PKCS#8' },
  'RSA PRIVATE KEY': { type: 'pkcs1', problem: 'parsing RSA private key from PEM' },
  'EC PRIVATE KEY': { type: 'sec1', problem: 'parsing EC private key from PEM' },
}

/** A private key in PEM; 'dsa' for one that signs no certificates. */
export function readPrivateKey(text: string): KeyObject | 'dsa' {
  const block = readPem(text)
  if (block === undefined) throw new GoError('no PEM data in input')
  const form = forms[block.type]
  if (form === undefined) {
    if (!block.type.endsWith(' PRIVATE KEY'))
      throw new GoError(`no private key data in PEM block of type ${block.type}`)
    if (block.type === 'DSA PRIVATE KEY') return 'dsa'
    throw new GoError(`invalid private key type ${block.type}`)
  }
  try {
    return createPrivateKey({ key: Buffer.from(block.bytes), format: 'der', type: form.type })
  } catch {
    // OpenSSL's words say nothing that Go's would.
    throw new GoError(`${form.problem}: the key cannot be read`)
  }
}

/** A private key in the PEM that sprig writes for its kind. */
export function writePrivateKey(key: KeyObject): string {
  const types = { rsa: 'pkcs1', ec: 'sec1' } as const
  const type = types[key.asymmetricKeyType as keyof typeof types] ?? 'pkcs8'
  return key.export({ format: 'pem', type }).toString()
}
