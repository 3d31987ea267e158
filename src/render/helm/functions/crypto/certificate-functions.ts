import { type KeyObject, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { typeName } from '../../../gotemplate/type-name.ts'
import { GoError, type GoList, GoObject, type GoValue } from '../../../gotemplate/value.ts'
import { decodeBase64 } from '../encoding/base-encoding.ts'
import { type Issuer, issuerParts, makeCertificate } from './certificate.ts'
import { define, type FunctionFamily } from '../define-function.ts'
import type { FunctionEnvironment } from '../environment.ts'
import { formatValue } from '../formats/format-value.ts'
import { dsaKeyPem, ecdsaKey, ed25519Key, rsaKey } from './private-key.ts'
import { readPem, readPrivateKey, writePrivateKey } from './read-private-key.ts'

/** Sprig's keys and certificates. */
export function certificateFunctions(environment: FunctionEnvironment): FunctionFamily {
  const { random } = environment
  let made = 0
  const charge = () => {
    if (++made > environment.limits.keys) throw new GoError(`a template may make ${environment.limits.keys} keys`)
  }
  const newKey = (): KeyObject => {
    charge()
    return rsaKey(random, 2048)
  }
  const issue = (names: Names, days: number, key: KeyObject | 'dsa', issuer?: Issuer): GoCertificate => {
    const addresses = listOf(names.addresses, 'error parsing ip: %v is not a string')
    for (const address of addresses)
      if (isIP(address) === 0 || address.includes('%')) throw new GoError(`error parsing ip: ${address}`)
    const dnsNames = listOf(names.dnsNames, 'error processing alternate dns name: %v is not a string')
    if (key === 'dsa')
      throw new GoError('error creating certificate: x509: certificate private key does not implement crypto.Signer')
    const notBefore = environment.now()
    const notAfter = new Date(notBefore.getTime() + days * 86_400_000)
    const request = {
      commonName: names.commonName,
      isAuthority: names.isAuthority ?? false,
      addresses,
      dnsNames,
      notBefore,
      notAfter,
    }
    return new GoCertificate(makeCertificate(request, key, issuer ?? { key }, random), writePrivateKey(key))
  }
  const plain = (commonName: string, addresses: GoList, dnsNames: GoList): Names => ({
    commonName,
    addresses,
    dnsNames,
  })
  const authority = (commonName: string): Names => ({ commonName, addresses: [], dnsNames: [], isAuthority: true })
  return {
    genPrivateKey: define(['string'], (type) => {
      charge()
      return privateKeyPem(type, environment)
    }),
    genCA: define(['string', 'int'], (name, days) => issue(authority(name), days, newKey())),
    genCAWithKey: define(['string', 'int', 'string'], (name, days, key) => issue(authority(name), days, keyIn(key))),
    genSelfSignedCert: define(['string', '[]interface {}', '[]interface {}', 'int'], (name, ips, dns, days) =>
      issue(plain(name, ips, dns), days, newKey()),
    ),
    genSelfSignedCertWithKey: define(
      ['string', '[]interface {}', '[]interface {}', 'int', 'string'],
      (name, ips, dns, days, key) => issue(plain(name, ips, dns), days, keyIn(key)),
    ),
    genSignedCert: define(
      ['string', '[]interface {}', '[]interface {}', 'int', 'sprig.certificate'],
      (name, ips, dns, days, ca) => issue(plain(name, ips, dns), days, newKey(), issuerIn(ca)),
    ),
    genSignedCertWithKey: define(
      ['string', '[]interface {}', '[]interface {}', 'int', 'sprig.certificate', 'string'],
      (name, ips, dns, days, ca, key) => issue(plain(name, ips, dns), days, keyIn(key), issuerIn(ca)),
    ),
    buildCustomCert: define(['string', 'string'], buildCustomCert),
  }
}

interface Names {
  readonly commonName: string
  readonly addresses: GoList
  readonly dnsNames: GoList
  readonly isAuthority?: boolean
}

class GoCertificate extends GoObject {
  override readonly typeName: string = 'sprig.certificate'
  readonly cert: string
  readonly key: string

  constructor(cert: string, key: string) {
    super()
    this.cert = cert
    this.key = key
  }

  override member(name: string): GoValue {
    return name === 'Cert' ? this.cert : name === 'Key' ? this.key : undefined
  }

  override fields(): readonly (readonly [string, GoValue])[] {
    return [
      ['Cert', this.cert],
      ['Key', this.key],
    ]
  }
}

function privateKeyPem(type: string, { random }: FunctionEnvironment): string {
  switch (type) {
    case '':
    case 'rsa':
      return writePrivateKey(rsaKey(random, 4096))
    case 'dsa':
      return dsaKeyPem(random)
    case 'ecdsa':
      return writePrivateKey(ecdsaKey(random))
    case 'ed25519':
      return writePrivateKey(ed25519Key(random))
    default:
      return `Unknown type ${type}`
  }
}

function keyIn(text: string): KeyObject | 'dsa' {
  return inWords('parsing private key', () => readPrivateKey(text))
}

function issuerIn(value: GoValue): Issuer {
  if (!(value instanceof GoCertificate)) {
    throw new GoError(`wrong type for value; expected sprig.certificate; got ${typeName(value)}`)
  }
  const block = readPem(value.cert)
  if (block === undefined) throw new GoError('unable to decode certificate')
  const key = inWords('error parsing private key', () => readPrivateKey(value.key))
  if (key === 'dsa')
    throw new GoError('error creating certificate: x509: certificate private key does not implement crypto.Signer')
  const { name, keyId } = issuerParts(block.bytes)
  return keyId === undefined ? { key, name } : { key, name, keyId }
}

function buildCustomCert(encodedCertificate: string, encodedKey: string): GoValue {
  const [certificate, key] = [decodeBase64(Buffer.from(encodedCertificate)), decodeBase64(Buffer.from(encodedKey))]
  if (certificate.problem !== undefined) throw new GoError('unable to decode base64 certificate')
  if (key.problem !== undefined) throw new GoError('unable to decode base64 private key')
  const [text, keyText] = [Buffer.from(certificate.bytes).toString(), Buffer.from(key.bytes).toString()]
  const block = readPem(text)
  if (block === undefined) throw new GoError('unable to decode certificate')
  try {
    void new X509Certificate(block.bytes)
  } catch {
    throw new GoError('error parsing certificate: decodedCert.Bytes: the certificate cannot be read')
  }
  inWords('error parsing private key', () => readPrivateKey(keyText))
  return new GoCertificate(text, keyText)
}

function listOf(list: GoList, problem: string): string[] {
  return list.map((item) => {
    if (typeof item === 'string') return item
    throw new GoError(problem.replace('%v', () => formatValue(item)))
  })
}

function inWords<Result>(words: string, action: () => Result): Result {
  try {
    return action()
  } catch (error) {
    if (error instanceof GoError) throw new GoError(`${words}: ${error.message}`)
    throw error
  }
}
