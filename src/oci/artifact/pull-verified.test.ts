import { expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { memoryTarget } from '../memory-target.ts'
import { signArtifact } from '../signature/sign-artifact.ts'
import { generateKeyPair, loadSigningKey } from '../signature/signing-key.ts'
import { packObjects } from './pack-objects.ts'
import { pullVerified } from './pull-verified.ts'
import { pushArtifact } from './push-artifact.ts'

const ctx = context()
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' } }

it('an artifact is pulled once one of the keys has signed it, and not before', async () => {
  const [own, other] = await Promise.all([generateKeyPair('x'), generateKeyPair('x')])
  const target = memoryTarget()
  const pushed = await pushArtifact(target, await packObjects([object], {}), 'v1', ctx)
  const verifyKeys = [other.publicKey, own.publicKey]
  await expect(pullVerified(target, 'v1', { verifyKeys }, ctx)).rejects.toMatchObject({ code: 'signature.missing' })
  await signArtifact(target, pushed, await loadSigningKey(own.privateKey, 'x'), {}, ctx)
  expect((await pullVerified(target, 'v1', { verifyKeys }, ctx)).objects).toEqual([object])
  const foreign = { verifyKeys: [other.publicKey] }
  await expect(pullVerified(target, 'v1', foreign, ctx)).rejects.toMatchObject({ code: 'signature.invalid' })
  expect((await pullVerified(target, 'v1', {}, ctx)).digest).toBe(pushed.digest)
})

it('a tag that moves after it was verified does not change what is pulled', async () => {
  const key = await generateKeyPair('x')
  const target = memoryTarget()
  const signed = await pushArtifact(target, await packObjects([object], {}), 'v1', ctx)
  await signArtifact(target, signed, await loadSigningKey(key.privateKey, 'x'), {}, ctx)
  const swapped = await packObjects([{ ...object, metadata: { name: 'evil' } }], {})
  let asked = 0
  const moving = new Proxy(target, {
    get: (own, name: keyof typeof target) =>
      name !== 'resolve'
        ? own[name]
        : async (text: string) => {
            const found = await own.resolve(text, ctx)
            if (text === 'v1' && asked++ === 0) await pushArtifact(own, swapped, 'v1', ctx)
            return found
          },
  })
  const pulled = await pullVerified(moving, 'v1', { verifyKeys: [key.publicKey] }, ctx)
  expect(pulled.digest).toBe(signed.digest)
})
