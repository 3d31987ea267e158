import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { decryptAge, encryptAge, isAge, parseIdentities, parseRecipients } from './age.ts'

const plain = Buffer.from('kind: Secret\n')

describe('age', () => {
  it('gives the content back to each of several recipients', async () => {
    const identities = [await generateX25519Identity(), await generateX25519Identity()]
    const recipients = await Promise.all(identities.map(identityToRecipient))
    const encrypted = await encryptAge(plain, recipients)
    const text = Buffer.from(encrypted).toString()
    expect(text).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n[A-Za-z0-9+/=\n]+-----END AGE ENCRYPTED FILE-----\n$/)
    expect(text).not.toContain('Secret')
    expect(isAge(encrypted)).toBe(true)
    for (const identity of identities) expect(await decryptAge(encrypted, [identity])).toEqual(Uint8Array.from(plain))
    const stranger = await generateX25519Identity()
    expect(await decryptAge(encrypted, [stranger, ...identities])).toEqual(Uint8Array.from(plain))
    await expect(decryptAge(encrypted, [stranger])).rejects.toMatchObject({ code: 'artifact.encrypted' })
    await expect(decryptAge(encrypted, [])).rejects.toMatchObject({ code: 'artifact.encrypted' })
  })

  it('refuses content that was changed, wherever', async () => {
    const identity = await generateX25519Identity()
    const encrypted = Buffer.from(await encryptAge(plain, [await identityToRecipient(identity)])).toString()
    const lines = encrypted.split('\n')
    for (let line = 0; line < lines.length - 1; line++) {
      const damaged = lines.with(line, flip(lines[line] ?? '')).join('\n')
      await expect(decryptAge(Buffer.from(damaged), [identity])).rejects.toMatchObject({ code: 'artifact.encrypted' })
    }
    await expect(decryptAge(Buffer.from('plain: yaml\n'), [identity])).rejects.toMatchObject({
      code: 'artifact.encrypted',
    })
  })

  it('never repeats a key in an error', async () => {
    const identity = await generateX25519Identity()
    const mistyped = `${identity.slice(0, -1)}${identity.endsWith('Q') ? 'P' : 'Q'}`
    const errors = [
      await decryptAge(plain, [mistyped]).catch((error: unknown) => error),
      await decryptAge(plain, [identity]).catch((error: unknown) => error),
      await encryptAge(plain, [identity]).catch((error: unknown) => error),
      await encryptAge(plain, []).catch((error: unknown) => error),
      caught(() => parseIdentities(`${identity}x`)),
      caught(() => parseRecipients(identity)),
    ]
    for (const error of errors as (Error & { code: string })[]) {
      expect(error.code).toMatch(/^(age\.invalid|artifact\.encrypted)$/)
      expect(JSON.stringify([error, error.message, error.stack, error.cause]).toUpperCase()).not.toContain(
        identity.slice(16, 30),
      )
    }
  })

  it('reads the files that age-keygen writes', async () => {
    const identity = await generateX25519Identity()
    const recipient = await identityToRecipient(identity)
    const file = `# created: 2026-01-01T00:00:00Z\n# public key: ${recipient}\n${identity}\n`
    expect(parseIdentities(file)).toEqual([identity])
    expect(parseIdentities(file.replaceAll('\n', '\r\n'))).toEqual([identity])
    expect(parseRecipients(`\n${recipient}\n # me\n${recipient}\n`)).toEqual([recipient, recipient])
    expect(() => parseRecipients('# none\n', 'keys.txt')).toThrow('keys.txt: there is no age recipient')
    expect(() => parseRecipients(`${recipient}\nssh-ed25519 AAAA\n`, 'keys.txt')).toThrow(
      'keys.txt: line 2 is no age recipient',
    )
  })
})

function flip(line: string): string {
  const at = Math.floor(line.length / 2)
  return `${line.slice(0, at)}${line[at] === 'A' ? 'B' : 'A'}${line.slice(at + 1)}`
}

function caught(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
