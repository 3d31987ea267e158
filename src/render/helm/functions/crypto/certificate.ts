import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { type RandomSource, randomBelow } from '../../../../core/index.ts'
import {
  bits,
  derTrue,
  element,
  integer,
  objectId,
  octets,
  pem,
  readElements,
  sequence,
  set,
  time,
} from '../../../../core/der/index.ts'
import { ecdsaAlgorithm, signEcdsa } from './ecdsa-signature.ts'

/** What a certificate says. */
export interface CertificateRequest {
  readonly commonName: string
  readonly addresses: readonly string[]
  readonly dnsNames: readonly string[]
  readonly notBefore: Date
  readonly notAfter: Date
  readonly isAuthority: boolean
}

/** Who signs a certificate. */
export interface Issuer {
  readonly key: KeyObject
  /** The name as DER, and the key's id; a certificate that signs itself has neither. */
  readonly name?: Uint8Array
  readonly keyId?: Uint8Array
}

/** Makes an X.509 certificate as Go's library does for sprig, in PEM. */
export function makeCertificate(
  request: CertificateRequest,
  key: KeyObject,
  issuer: Issuer,
  random: RandomSource,
): string {
  const algorithm = signatureAlgorithm(issuer.key)
  const subject = nameOf(request.commonName)
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' })
  const body = sequence(
    element(0xa0, integer(2n)),
    integer(randomBelow(random, 1n << 128n)),
    algorithm.id,
    Buffer.from(issuer.name ?? subject),
    sequence(time(request.notBefore), time(request.notAfter)),
    subject,
    publicKey,
    element(0xa3, sequence(...extensions(request, publicKey, subject, issuer))),
  )
  const signature = algorithm.sign(body)
  return pem('CERTIFICATE', sequence(body, algorithm.id, bits(signature)))
}

/** The subject's name and the key id of a certificate, as those that it signs need them. */
export function issuerParts(der: Uint8Array): { name: Buffer; keyId: Buffer | undefined } {
  const [certificate] = readElements(der)
  const [body] = readElements(certificate!.content)
  const parts = readElements(body!.content)
  const offset = parts[0]?.tag === 0xa0 ? 1 : 0
  const extensionList = parts.find(({ tag }) => tag === 0xa3)
  const all = extensionList === undefined ? [] : readElements(readElements(extensionList.content)[0]!.content)
  const id = objectId(subjectKeyId)
  const found = all.map(({ content }) => readElements(content)).find(([oid]) => oid?.whole.equals(id) === true)
  const value = found?.at(-1)
  return {
    name: parts[4 + offset]!.whole,
    keyId: value === undefined ? undefined : readElements(value.content)[0]?.content,
  }
}

const subjectKeyId = '2.5.29.14'

function extensions(request: CertificateRequest, publicKey: Uint8Array, subject: Buffer, issuer: Issuer): Buffer[] {
  const list = [
    // Signature and key encipherment, and for an authority the signing of certificates.
    extension('2.5.29.15', bits(Buffer.of(request.isAuthority ? 0xa4 : 0xa0), request.isAuthority ? 2 : 5), true),
    extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.1'), objectId('1.3.6.1.5.5.7.3.2'))),
    extension('2.5.29.19', sequence(...(request.isAuthority ? [derTrue] : [])), true),
  ]
  if (request.isAuthority) list.push(extension(subjectKeyId, octets(keyIdOf(publicKey))))
  const isOther = issuer.name !== undefined && !subject.equals(issuer.name)
  if (isOther && issuer.keyId !== undefined) list.push(extension('2.5.29.35', sequence(element(0x80, issuer.keyId))))
  const names = [
    ...request.dnsNames.map((name) => element(0x82, Buffer.from(name))),
    ...request.addresses.map((address) => element(0x87, addressBytes(address))),
  ]
  if (names.length > 0) list.push(extension('2.5.29.17', sequence(...names), request.commonName === ''))
  return list
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  return sequence(objectId(id), ...(isCritical ? [derTrue] : []), octets(value))
}

// Go takes the first 160 bits of the key's SHA-256 (RFC 7093, method 1).
function keyIdOf(publicKey: Uint8Array): Buffer {
  const [outer] = readElements(publicKey)
  const key = readElements(outer!.content)[1]!.content.subarray(1)
  return createHash('sha256').update(key).digest().subarray(0, 20)
}

function nameOf(commonName: string): Buffer {
  if (commonName === '') return sequence()
  const tag = /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(commonName) ? 0x13 : 0x0c
  return sequence(set(sequence(objectId('2.5.4.3'), element(tag, Buffer.from(commonName)))))
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const mapped = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const plain =
    mapped === null ? address : `${mapped[1]}${hexPair(mapped[2]!, mapped[3]!)}:${hexPair(mapped[4]!, mapped[5]!)}`
  const [head = '', tail] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  const bytes = Buffer.concat(groups.map((group) => Buffer.from(group.padStart(4, '0'), 'hex')))
  // An IPv4 address in IPv6's clothes is IPv4 to Go.
  return bytes.subarray(0, 12).toString('hex') === '00000000000000000000ffff' ? bytes.subarray(12) : bytes
}

function hexPair(a: string, b: string): string {
  return ((Number(a) << 8) | Number(b)).toString(16)
}

interface Algorithm {
  readonly id: Buffer
  /** All of them sign the same body the same each time. */
  sign(body: Uint8Array): Buffer
}

function signatureAlgorithm(key: KeyObject): Algorithm {
  if (key.asymmetricKeyType === 'ed25519') {
    return { id: sequence(objectId('1.3.101.112')), sign: (body) => sign(null, body, key) }
  }
  if (key.asymmetricKeyType === 'rsa') {
    const id = sequence(objectId('1.2.840.113549.1.1.11'), element(0x05))
    return { id, sign: (body) => sign('sha256', body, key) }
  }
  return { id: sequence(objectId(ecdsaAlgorithm(key))), sign: (body) => signEcdsa(body, key) }
}
