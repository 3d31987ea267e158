// Packs objects into an artifact, signs it, and pulls it only if the signature is good.
import { context } from 'lading/core'
import {
  generateKeyPair,
  loadSigningKey,
  memoryTarget,
  packObjects,
  pullVerified,
  pushArtifact,
  signArtifact,
} from 'lading/oci'

const ctx = context()
const registry = memoryTarget()
const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } }
const pushed = await pushArtifact(registry, await packObjects([settings], {}), 'v1', ctx)

const keys = await generateKeyPair('a passphrase')
await signArtifact(registry, pushed, await loadSigningKey(keys.privateKey, 'a passphrase'), {}, ctx)
const { digest, objects } = await pullVerified(registry, 'v1', { verifyKeys: [keys.publicKey] }, ctx)
console.log(digest === pushed.digest, objects)
