import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { assemble, blob, emptyConfig, writeManifest } from '../artifact/packed-artifact.ts'
import { packObjects } from '../artifact/pack-objects.ts'
import { pushArtifact } from '../artifact/push-artifact.ts'
import type { Descriptor } from '../descriptor.ts'
import { memoryTarget } from '../memory-target.ts'
import { fetchAll, type Target } from '../target.ts'
import { bundleType, writeBundle } from './bundle.ts'
import { signArtifact } from './sign-artifact.ts'
import { readManifest, signatureTag } from './signature-manifest.ts'
import { loadSigningKey, type SigningKey } from './signing-key.ts'
import { signatureAnnotation, simpleSigningType, writePayload } from './simple-signing.ts'
import { verifySignature, type VerifyOptions } from './verify-signature.ts'

const ctx = context()
const reference = 'registry.example/shop'
let key: SigningKey
let other: SigningKey

beforeAll(async () => {
  key = await newKey()
  other = await newKey()
})

describe.for(['tag', 'bundle'] as const)('a signature in the form %s', (form) => {
  it('holds for the key that made it', async () => {
    const { target, signed } = await artifact()
    await signArtifact(target, signed, key, { form, reference }, ctx)
    const verified = await verify(target, signed, [other, key])
    expect(verified).toEqual([
      {
        form,
        fingerprint: key.publicKey.fingerprint,
        keyIndex: 1,
        digest: expect.stringMatching(/^sha256:/),
        ...(form === 'tag' ? { reference } : {}),
      },
    ])
  })

  it('is refused for another key', async () => {
    const { target, signed } = await artifact()
    await signArtifact(target, signed, key, { form }, ctx)
    await expect(verify(target, signed, [other])).rejects.toMatchObject({
      code: 'signature.invalid',
      message: expect.stringContaining('none of the keys fits'),
    })
  })

  it('says nothing about another artifact', async () => {
    const { target, signed } = await artifact()
    const unsigned = await pushArtifact(target, await packObjects([configMap('b')]), undefined, ctx)
    await signArtifact(target, signed, key, { form }, ctx)
    await expect(verify(target, unsigned, [key])).rejects.toMatchObject({ code: 'signature.missing' })
  })

  it('is refused for a repository that it does not name, if that is asked', async () => {
    const { target, signed } = await artifact()
    await signArtifact(target, signed, key, { form, reference }, ctx)
    await expect(verify(target, signed, [key], { reference: 'registry.example/other' })).rejects.toMatchObject({
      code: 'signature.invalid',
      message: expect.stringContaining('it names '),
    })
    const same = verify(target, signed, [key], { reference }).then(
      (verified) => verified.length,
      (error: { code: string }) => error.code,
    )
    expect(await same).toBe(form === 'tag' ? 1 : 'signature.invalid')
  })
})

describe('signatures', () => {
  it('of several people stand side by side, and one that holds is enough', async () => {
    const { target, signed } = await artifact()
    await signArtifact(target, signed, other, {}, ctx)
    await signArtifact(target, signed, key, {}, ctx)
    await signArtifact(target, signed, other, { form: 'bundle' }, ctx)
    expect(await verify(target, signed, [key])).toHaveLength(1)
    expect((await verify(target, signed, [other, key])).map(({ form, keyIndex }) => [form, keyIndex])).toEqual([
      ['tag', 0],
      ['tag', 1],
      ['bundle', 0],
    ])
  })

  it('are made once by each key', async () => {
    const { target, signed } = await artifact()
    const first = await signArtifact(target, signed, key, {}, ctx)
    expect(await signArtifact(target, signed, key, {}, ctx)).toEqual(first)
    expect(await verify(target, signed, [key])).toHaveLength(1)
  })

  it('name the repository that they lie in', async () => {
    const { target, signed } = await artifact()
    const located: Target = { ...target, location: { registry: 'registry.example', repository: 'shop' } }
    await signArtifact(located, signed, key, {}, ctx)
    expect(await verify(target, signed, [key])).toMatchObject([{ reference }])
  })

  it('are not made of what is not there', async () => {
    const { signed } = await artifact()
    await expect(signArtifact(memoryTarget(), signed, key, {}, ctx)).rejects.toMatchObject({ code: 'oci.not-found' })
  })

  it('are missing where nobody signed, and need a key', async () => {
    const { target, signed } = await artifact()
    await expect(verify(target, signed, [key])).rejects.toMatchObject({ code: 'signature.missing' })
    await expect(verify(target, signed, [])).rejects.toMatchObject({ code: 'key.invalid' })
  })

  it.for([
    ['about another digest', () => writePayload({ digest: `sha256:${'0'.repeat(64)}`, reference }), 'another digest'],
    ['of another type', (digest: string) => edited(digest, 'cosign container', 'atomic container'), 'none of cosign'],
    ['that is no JSON', () => Buffer.from('signed'), 'none of cosign'],
    ['without a digest', (digest: string) => edited(digest, 'docker-manifest-digest', 'digest'), 'none of cosign'],
  ] as const)('with a payload %s prove nothing, though the key fits', async ([, payloadOf, problem]) => {
    const { target, signed } = await artifact()
    const payload = payloadOf(signed.digest)
    await pushLayer(target, signed, payload, Buffer.from(key.sign(payload)).toString('base64'))
    await expect(verify(target, signed, [key])).rejects.toMatchObject({
      code: 'signature.invalid',
      message: expect.stringContaining(problem),
    })
  })

  it('are refused for a payload that was changed', async () => {
    const { target, signed } = await artifact()
    const signature = Buffer.from(key.sign(writePayload({ digest: `sha256:${'0'.repeat(64)}`, reference }))).toString(
      'base64',
    )
    await pushLayer(target, signed, writePayload({ digest: signed.digest, reference }), signature)
    await expect(verify(target, signed, [key])).rejects.toMatchObject({ code: 'signature.invalid' })
  })

  it.for([undefined, '', 'no base64!', 'AAAA'])('are refused if the signature is %j', async (signature) => {
    const { target, signed } = await artifact()
    await pushLayer(target, signed, writePayload({ digest: signed.digest, reference }), signature)
    await expect(verify(target, signed, [key])).rejects.toMatchObject({ code: 'signature.invalid' })
  })

  it('do not count when they were copied from another artifact', async () => {
    const { target, signed } = await artifact()
    const evil = await pushArtifact(target, await packObjects([configMap('evil')]), undefined, ctx)
    await signArtifact(target, signed, key, {}, ctx)
    const manifest = await readManifest(target, await target.resolve(signatureTag(signed), ctx), ctx)
    const copy = writeManifest({ config: manifest.config, layers: manifest.layers, annotations: {} })
    await target.pushTagged(copy.descriptor, copy.content, signatureTag(evil), ctx)
    await expect(verify(target, evil, [key])).rejects.toMatchObject({ code: 'signature.invalid' })
  })

  it('do not count when their bundle was attached to another artifact', async () => {
    const { target, signed } = await artifact()
    const evil = await pushArtifact(target, await packObjects([configMap('evil')]), undefined, ctx)
    await pushReferrer(target, evil, writeBundle(signed.digest, key))
    await expect(verify(target, evil, [key])).rejects.toThrow('it is about another digest')
  })

  it.for([
    [
      'is an attestation',
      (statement: string) => statement.replace('cosign/sign/v1', 'slsa/v1'),
      'it is an attestation',
    ],
    ['is none of in-toto', (statement: string) => statement.replace('in-toto.io', 'other.io'), 'none of in-toto'],
    ['is no JSON', () => 'x', 'none of in-toto'],
  ] as const)('do not count in a bundle whose statement %s', async ([, change, problem]) => {
    const { target, signed } = await artifact()
    // A key that signs what the test wants instead.
    let signedText = ''
    const bent: SigningKey = {
      publicKey: key.publicKey,
      sign: (content) => {
        const text = Buffer.from(content).toString()
        signedText = change(text.slice(text.indexOf('{')))
        return key.sign(
          Buffer.from(`DSSEv1 28 application/vnd.in-toto+json ${Buffer.byteLength(signedText)} ${signedText}`),
        )
      },
    }
    const bundle = JSON.parse(Buffer.from(writeBundle(signed.digest, bent)).toString()) as Bundle
    bundle.dsseEnvelope.payload = Buffer.from(signedText).toString('base64')
    await pushReferrer(target, signed, Buffer.from(JSON.stringify(bundle)))
    await expect(verify(target, signed, [key])).rejects.toThrow(problem)
  })

  it.for([
    '{}',
    'x',
    '{"dsseEnvelope":{"payloadType":"application/vnd.in-toto+json","payload":"e30=","signatures":[]}}',
  ])('do not count in the bundle %s', async (bundle) => {
    const { target, signed } = await artifact()
    await pushReferrer(target, signed, Buffer.from(bundle))
    await expect(verify(target, signed, [key])).rejects.toMatchObject({ code: 'signature.invalid' })
  })

  it('are not looked for in more than a hundred places', async () => {
    const { target, signed } = await artifact()
    const payload = writePayload({ digest: signed.digest, reference })
    const bad = blob(simpleSigningType, payload, { [signatureAnnotation]: 'AAAA' })
    await pushArtifact(
      target,
      assemble({ config: emptyConfig(), layers: Array.from({ length: 150 }, () => bad), annotations: {} }),
      signatureTag(signed),
      ctx,
    )
    let fetched = 0
    const counting: Target = {
      ...target,
      fetch: (descriptor, ctx) => {
        fetched += 1
        return target.fetch(descriptor, ctx)
      },
    }
    await expect(verify(counting, signed, [key])).rejects.toMatchObject({ code: 'signature.invalid' })
    expect(fetched).toBeLessThan(110)
  })

  it('may not be larger than signatures are', async () => {
    const { target, signed } = await artifact()
    await pushLayer(target, signed, new Uint8Array(300 * 1024), 'AAAA')
    await expect(verify(target, signed, [key])).rejects.toMatchObject({ code: 'oci.too-large' })
  })

  it('are written as cosign writes them', async () => {
    const { target, signed } = await artifact()
    await signArtifact(target, signed, key, { reference }, ctx)
    const manifest = await readManifest(target, await target.resolve(signatureTag(signed), ctx), ctx)
    expect(manifest.config.mediaType).toBe('application/vnd.oci.image.config.v1+json')
    expect(manifest.layers).toMatchObject([{ mediaType: 'application/vnd.dev.cosign.simplesigning.v1+json' }])
    const payload = await fetchAll(target, manifest.layers[0] as Descriptor, 1000, ctx)
    expect(Buffer.from(payload).toString()).toBe(
      `{"critical":{"identity":{"docker-reference":"${reference}"},"image":{"docker-manifest-digest":"${signed.digest}"},"type":"cosign container image signature"},"optional":null}`,
    )
  })
})

interface Bundle {
  dsseEnvelope: { payload: string }
}

async function artifact(): Promise<{ target: Target; signed: Descriptor }> {
  const target = memoryTarget()
  return { target, signed: await pushArtifact(target, await packObjects([configMap('a')]), 'v1', ctx) }
}

function configMap(name: string) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }
}

function verify(target: Target, signed: Descriptor, keys: readonly SigningKey[], options: VerifyOptions = {}) {
  const pems = keys.map(({ publicKey }) => publicKey.pem)
  return verifySignature(target, signed, pems, options, ctx)
}

async function pushLayer(target: Target, signed: Descriptor, payload: Uint8Array, signature?: string): Promise<void> {
  const layer = blob(simpleSigningType, payload, signature === undefined ? {} : { [signatureAnnotation]: signature })
  const packed = assemble({ config: emptyConfig(), layers: [layer], annotations: {} })
  await pushArtifact(target, packed, signatureTag(signed), ctx)
}

async function pushReferrer(target: Target, subject: Descriptor, bundle: Uint8Array): Promise<void> {
  const layers = [blob(bundleType, bundle)]
  const packed = assemble({ artifactType: bundleType, config: emptyConfig(), layers, subject, annotations: {} })
  await pushArtifact(target, packed, undefined, ctx)
}

function edited(digest: string, from: string, to: string): Uint8Array {
  return Buffer.from(Buffer.from(writePayload({ digest, reference })).toString().replace(from, to))
}

function newKey(): Promise<SigningKey> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return loadSigningKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
}
