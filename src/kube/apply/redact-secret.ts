import { isRecord, isSecretKind, type KubeObject, stringifyJson } from '../../core/index.ts'

/** Shorter values would take pieces out of ordinary words, and are no secrets worth the name. */
const shortest = 4

/** Takes the values of a Secret that was sent out of what the API server, or a webhook behind it, says about it. */
export function redactSecret<Text extends string | undefined>(text: Text, sent: unknown): Text | string {
  if (text === undefined || !isRecord(sent) || !isSecretKind(sent as KubeObject)) return text
  const spellings = [sent['data'], sent['stringData']].flatMap((values) =>
    isRecord(values) ? Object.values(values).flatMap((value) => spellingsOf(value, text.length)) : [],
  )
  // The longest first: one may be a part of another.
  const secrets = spellings.filter(({ length }) => length >= shortest).sort((a, b) => b.length - a.length)
  return secrets.reduce<string>((rest, secret) => rest.replaceAll(secret, '***'), text)
}

/** As it was sent, as it is without base64, and both as quoted texts write them. */
function spellingsOf(value: unknown, room: number): string[] {
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)]
  // What is longer than the message stands nowhere in it: records of releases need not be decoded.
  if (typeof value !== 'string' || value.length > 2 * room) return []
  const plain = [value, Buffer.from(value, 'base64').toString('utf8')]
  return [...plain, ...plain.map((each) => stringifyJson(each).slice(1, -1))]
}
