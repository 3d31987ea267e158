import { LadingError } from '../../core/index.ts'

/** How age content is announced in annotations (the first line of every file of age). */
export const ageVersion = 'age-encryption.org/v1'

/**
 * Encrypts for recipients (`age1…`), as ASCII armor. Whoever has the identity of one of them can read it. Errors name
 * recipients and identities by their position, and causes are left out: they could repeat a key.
 */
export async function encryptAge(content: Uint8Array, recipients: readonly string[]): Promise<Uint8Array> {
  if (recipients.length === 0) throw new LadingError('age.invalid', 'there is no recipient to encrypt for')
  // Half a second to load: only those who encrypt wait for it.
  const { armor, Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  recipients.forEach((recipient, index) => {
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw new LadingError('age.invalid', `recipient ${index + 1} is no age recipient (age1…)`)
    }
  })
  return Buffer.from(armor.encode(await encrypter.encrypt(content)))
}

/** Decrypts a file of age, armored or not, with the identity (`AGE-SECRET-KEY-…`) that fits. */
export async function decryptAge(content: Uint8Array, identities: readonly string[]): Promise<Uint8Array> {
  if (identities.length === 0) throw new LadingError('artifact.encrypted', 'there is no identity to decrypt with')
  const { armor, Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  identities.forEach((identity, index) => {
    try {
      decrypter.addIdentity(identity)
    } catch {
      throw new LadingError('age.invalid', `identity ${index + 1} is no age identity`)
    }
  })
  try {
    return await decrypter.decrypt(isArmored(content) ? armor.decode(Buffer.from(content).toString('latin1')) : content)
  } catch {
    const tried = identities.length === 1 ? 'the identity does not fit' : `none of ${identities.length} identities fits`
    throw new LadingError('artifact.encrypted', `cannot decrypt: ${tried}, or the content is damaged`)
  }
}

/** Whether content is a file of age, armored or not. */
export function isAge(content: Uint8Array): boolean {
  return isArmored(content) || startsWith(content, ageVersion)
}

/** Reads a file of recipients as age reads it: one on each line, comments with #. */
export function parseRecipients(text: string, file = 'the recipients'): string[] {
  return parseKeys(text, file, /^age1[a-z0-9]+$/, 'recipient (age1…)')
}

/** Reads a file of identities as `age-keygen` writes it: one on each line, comments with #. */
export function parseIdentities(text: string, file = 'the identities'): string[] {
  return parseKeys(text, file, /^AGE-SECRET-KEY-[A-Z0-9-]+$/, 'identity (AGE-SECRET-KEY-…)')
}

function parseKeys(text: string, file: string, pattern: RegExp, what: string): string[] {
  const keys: string[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const key = line.trim()
    if (key === '' || key.startsWith('#')) continue
    // The line itself is not shown: a mistyped identity is still almost a secret.
    if (!pattern.test(key)) throw new LadingError('age.invalid', `${file}: line ${index + 1} is no age ${what}`)
    keys.push(key)
  }
  if (keys.length === 0) throw new LadingError('age.invalid', `${file}: there is no age ${what}`)
  return keys
}

function isArmored(content: Uint8Array): boolean {
  return startsWith(content, '-----BEGIN AGE ENCRYPTED FILE-----')
}

function startsWith(content: Uint8Array, text: string): boolean {
  return Buffer.from(content.subarray(0, text.length)).toString('latin1') === text
}
