import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const format = 1
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + nonceBytes + tagBytes

/** Encrypts what a job store keeps. A value is bound to its place (a job's id and a column), so that nobody can swap two of them. */
export interface JobCipher {
  seal(place: JobPlace, text: string): Uint8Array
  /** Undefined if the value was not sealed with this key for this place. */
  open(place: JobPlace, sealed: unknown): string | undefined
}

/** Where a sealed value stands. */
export interface JobPlace {
  readonly id: string
  readonly column: 'plan' | 'outputs' | 'error' | 'message' | 'check'
}

/** AES-256-GCM with a random nonce for each value: format, nonce, tag, ciphertext. */
export function jobCipher(key: Uint8Array): JobCipher {
  return {
    seal(place, text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(boundTo(place))
      const sealed = [cipher.update(text, 'utf8'), cipher.final()]
      return Buffer.concat([Buffer.of(format), nonce, cipher.getAuthTag(), ...sealed])
    },
    open(place, sealed) {
      if (!(sealed instanceof Uint8Array) || sealed.length < headBytes || sealed[0] !== format) return undefined
      const nonce = sealed.subarray(1, 1 + nonceBytes)
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
        .setAAD(boundTo(place))
        .setAuthTag(sealed.subarray(1 + nonceBytes, headBytes))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}

function boundTo({ id, column }: JobPlace): Buffer {
  return Buffer.from(`lading-job ${format} ${column} ${id}`)
}
