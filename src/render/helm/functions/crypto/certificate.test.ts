import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../../../testbed/npm-clients.ts'
import { seededRandom } from '../../../../core/index.ts'
import { readElements } from '../../../../core/der/index.ts'
import { newMap } from '../dicts/make-value.ts'
import { readPem } from './read-private-key.ts'
import { valuesFile } from '../testdata/function-cases.ts'
import { askHelm } from '../testdata/helm-oracle.ts'
import { expressionRunner } from '../testdata/run-expression.ts'

const now = () => new Date('2026-01-02T03:04:05Z')

function render(expression: string, seed?: string): string {
  const random = seed === undefined ? {} : { random: seededRandom(seed) }
  const outcome = expressionRunner(newMap(), { now, ...random })(expression)
  if ('error' in outcome) throw new Error(outcome.error)
  return outcome.output
}

const pair = (kind: string, key: string) =>
  `$k := ${key} }}{{ $ca := genCAWithKey "the ca" 365 $k }}{{ $c := ${kind} }}{{ $ca.Cert }}{{ $c.Cert }}{{ $c.Key`

function certificates(text: string): X509Certificate[] {
  return (text.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----\n/g) ?? []).map(
    (pem) => new X509Certificate(pem),
  )
}

describe('certificates that templates make', () => {
  it.each(['ecdsa', 'ed25519'])('are signed by the authority and say who they are: %s', (type) => {
    const signed = 'genSignedCertWithKey "web" (list "10.0.0.1" "::1") (list "a.example" "*.b.example") 30 $ca $k'
    const text = render(pair(signed, `genPrivateKey "${type}"`))
    const [authority, leaf] = certificates(text)
    expect(authority!.ca).toBe(true)
    expect(leaf!.ca).toBe(false)
    expect(leaf!.subject).toBe('CN=web')
    expect(leaf!.issuer).toBe('CN=the ca')
    expect(leaf!.checkIssued(authority!)).toBe(true)
    expect(leaf!.verify(authority!.publicKey)).toBe(true)
    expect(authority!.verify(authority!.publicKey)).toBe(true)
    expect(leaf!.checkHost('x.b.example')).toBe('*.b.example')
    expect(leaf!.checkIP('10.0.0.1')).toBe('10.0.0.1')
    expect(leaf!.subjectAltName).toContain('0:0:0:0:0:0:0:1')
    expect(new Date(leaf!.validFrom)).toEqual(now())
    expect(new Date(leaf!.validTo)).toEqual(new Date('2026-02-01T03:04:05Z'))
    expect(leaf!.checkPrivateKey(createPrivateKey(/-----BEGIN [A-Z ]*PRIVATE KEY[^]*$/.exec(text)![0]))).toBe(true)
  })

  it('have RSA keys unless told otherwise', () => {
    const [certificate] = certificates(render('(genSelfSignedCert "me" nil (list "x") 1).Cert'))
    expect(certificate!.publicKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 })
    expect(certificate!.verify(certificate!.publicKey)).toBe(true)
  })

  it.each([
    'genPrivateKey "ecdsa"',
    'genPrivateKey "ed25519"',
    'randBytes 30',
    'randInt 0 1000000000',
    'htpasswd "me" "x"',
    'encryptAES "key" "x"',
    'uuidv4',
    'randAlphaNum 30',
    'bcrypt "x"',
    'shuffle "abcdefgh"',
  ])('come again for the same seed, and not for another: %s', (expression) => {
    expect(render(expression, 'a')).toBe(render(expression, 'a'))
    expect(render(expression, 'a')).not.toBe(render(expression, 'b'))
  })

  it('come again for the same seed with RSA and ECDSA signatures that verify', () => {
    for (const expression of ['(genCA "ca" 10).Cert', '(genCAWithKey "ca" 10 (genPrivateKey "ecdsa")).Cert']) {
      const text = render(expression, 'seed')
      const [certificate] = certificates(text)
      expect(certificate!.verify(certificate!.publicKey)).toBe(true)
      expect(render(expression, 'seed')).toBe(text)
    }
  })

  it.skipIf(noNpmClients !== undefined)(
    'have the extensions that the real helm gives them, byte for byte',
    async () => {
      const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
      const signed = 'genSignedCertWithKey "wéb" (list "10.0.0.1" "::1" "::ffff:1.2.3.4") (list "a.example") 30 $ca $k'
      const expression = pair(signed, JSON.stringify(key))
      const said = await askHelm((await npmClients())!.helm, [expression], valuesFile)
      const outcome = said.get(expression)!
      expect(certificateParts('output' in outcome ? outcome.output : outcome.error)).toEqual(
        certificateParts(render(expression)),
      )
    },
  )
})

// Everything of a certificate's body but its number and dates.
function certificateParts(text: string): string[][] {
  return certificates(text).map(({ raw }) => {
    const [body] = readElements(readElements(raw)[0]!.content)
    return readElements(body!.content)
      .filter((_, at) => at !== 1 && at !== 4)
      .map(({ whole }) => whole.toString('hex'))
  })
}

describe('PEM', () => {
  it('is read with headers and blanks around it', () => {
    expect(readPem('noise\n-----BEGIN X-----\nA: b\n\naGVs\nbG8=\n-----END X-----\n')).toEqual({
      type: 'X',
      bytes: Buffer.from('hello'),
    })
    expect(readPem('nothing')).toBeUndefined()
  })
})
