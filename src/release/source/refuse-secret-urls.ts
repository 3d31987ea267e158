import { isRecord, isSecretKind, type KubeObject, LadingError, objectId, refOf } from '../../core/index.ts'
import { annotation } from '../annotations/annotations.ts'

// Shorter ones stand in any address by chance.
const shortest = 4

/**
 * Throws where an address that Lading itself would ask holds what a template looked up in a Secret, in any of the spellings that
 * a template makes without effort.
 */
export function refuseSecretUrls(objects: readonly KubeObject[], lookedUp: Iterable<unknown>): void {
  let secrets: readonly string[] | undefined
  for (const object of objects) {
    const url = annotation(object, 'health-check-url')
    if (url === undefined) continue
    secrets ??= [...lookedUp].flatMap(secretTexts).flatMap(spellings)
    if (!secrets.some((secret) => url.includes(secret))) continue
    const problem = `${objectId(refOf(object))}: health-check-url holds a value of a Secret that was looked up`
    throw new LadingError('health.url-refused', problem, { object: objectId(refOf(object)) })
  }
}

function secretTexts(value: unknown): string[] {
  if (!isRecord(value)) return []
  if (Array.isArray(value['items'])) return value['items'].flatMap(secretTexts)
  if (!isSecretKind({ apiVersion: String(value['apiVersion']), kind: String(value['kind']) })) return []
  return Object.values(isRecord(value['data']) ? value['data'] : {}).filter((each) => typeof each === 'string')
}

function spellings(base64: string): string[] {
  const bytes = Buffer.from(base64, 'base64')
  const text = bytes.toString('utf8')
  const all = [base64, bytes.toString('base64url'), bytes.toString('hex'), text, text.trim()]
  const wanted = all.filter((each) => each.length >= shortest)
  return [...new Set([...wanted, ...wanted.map(encodeURIComponent)])]
}
