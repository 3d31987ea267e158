import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { context } from '../src/core/index.ts'
import {
  type Descriptor,
  generateKeyPair,
  loadSigningKey,
  openRepository,
  packObjects,
  pushArtifact,
  signArtifact,
  type Target,
  verifySignature,
} from '../src/oci/index.ts'
import { peer, type Registry, startRegistry } from '../testbed/index.ts'

const exec = promisify(execFile)
const ctx = context()
/** The first use of a program builds it. */
const buildTimeout = 40 * 60_000
const password = `password-${process.pid}`
/** Neither a transparency log nor a service for certificates: nothing leaves this machine. */
const offline = ['--allow-insecure-registry', '--key']
let cosign: string
let registry: Registry
let folder: string
let count = 0

beforeAll(async () => {
  cosign = (await peer('cosign')).path
  registry = await startRegistry()
}, buildTimeout)

afterAll(() => registry.stop())

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lading-cosign-'))
  onTestFinished(() => rm(folder, { recursive: true }))
})

describe('cosign', () => {
  it.for(['tag', 'bundle'] as const)('verifies what Lading signed in the form %s', async (form) => {
    const { target, signed, reference } = await artifact()
    const { privateKey, publicKey } = await generateKeyPair(password)
    await signArtifact(target, signed, await loadSigningKey(privateKey, password), { form }, ctx)
    const keyFile = join(folder, 'lading.pub')
    await writeFile(keyFile, publicKey)
    const { stdout } = await run('verify', '--insecure-ignore-tlog', ...offline, keyFile, reference)
    expect(stdout).toContain(signed.digest)

    const other = join(folder, 'other.pub')
    await writeFile(other, (await generateKeyPair(password)).publicKey)
    await expect(run('verify', '--insecure-ignore-tlog', ...offline, other, reference)).rejects.toMatchObject({
      code: expect.any(Number),
    })
  })

  it.for([
    ['tag', ['--new-bundle-format=false']],
    ['bundle', ['--new-bundle-format=true']],
  ] as const)('signs what Lading verifies in the form %s', async ([form, flags]) => {
    const { target, signed, reference } = await artifact()
    await run('generate-key-pair', '--output-key-prefix', 'theirs')
    const key = join(folder, 'theirs.key')
    await run(
      'sign',
      '--yes',
      '--tlog-upload=false',
      '--use-signing-config=false',
      ...flags,
      ...offline,
      key,
      reference,
    )
    const publicKey = await readFile(join(folder, 'theirs.pub'), 'utf8')
    const verified = await verifySignature(target, signed, [publicKey], {}, ctx)
    expect(verified).toMatchObject([{ form, keyIndex: 0 }])
    const { publicKey: other } = await generateKeyPair(password)
    await expect(verifySignature(target, signed, [other], {}, ctx)).rejects.toMatchObject({ code: 'signature.invalid' })
  })

  it('signs with a key of Lading, and Lading with a key of cosign, on the same artifact', async () => {
    const { target, signed, reference } = await artifact()
    const ours = await generateKeyPair(password)
    const key = join(folder, 'ours.key')
    await writeFile(key, ours.privateKey, { mode: 0o600 })
    await writeFile(join(folder, 'ours.pub'), ours.publicKey)
    await run('generate-key-pair', '--output-key-prefix', 'theirs')
    const theirs = await readFile(join(folder, 'theirs.key'), 'utf8')
    const flags = ['--yes', '--tlog-upload=false', '--use-signing-config=false', '--new-bundle-format=false']
    await run('sign', ...flags, ...offline, key, reference)
    await signArtifact(target, signed, await loadSigningKey(theirs, password), {}, ctx)

    const publicKeys = [ours.publicKey, await readFile(join(folder, 'theirs.pub'), 'utf8')]
    const verified = await verifySignature(target, signed, publicKeys, {}, ctx)
    expect(verified.map(({ keyIndex }) => keyIndex)).toEqual([0, 1])
    // Both name the repository in the same words.
    expect(new Set(verified.map((one) => one.reference))).toEqual(new Set([reference.split('@')[0]]))
    for (const name of ['ours', 'theirs']) {
      const { stdout } = await run(
        'verify',
        '--insecure-ignore-tlog',
        ...offline,
        join(folder, `${name}.pub`),
        reference,
      )
      expect(stdout).toContain(signed.digest)
    }
  })

  it('attests what Lading does not take for a signature', async () => {
    const { target, signed, reference } = await artifact()
    await run('generate-key-pair', '--output-key-prefix', 'theirs')
    const predicate = join(folder, 'predicate.json')
    await writeFile(predicate, '{"scanned":true}')
    const flags = ['--yes', '--tlog-upload=false', '--use-signing-config=false', '--predicate', predicate]
    await run('attest', ...flags, ...offline, join(folder, 'theirs.key'), reference)
    const publicKey = await readFile(join(folder, 'theirs.pub'), 'utf8')
    await expect(verifySignature(target, signed, [publicKey], {}, ctx)).rejects.toMatchObject({
      code: 'signature.invalid',
      message: expect.stringContaining('it is an attestation, no signature'),
    })
  })
})

async function artifact(): Promise<{ target: Target; signed: Descriptor; reference: string }> {
  count += 1
  const repository = `${registry.host}/signed-${count}`
  const target = openRepository(`oci://${repository}`, { plainHttp: true, credentials: async () => undefined })
  onTestFinished(() => target.close())
  const objects = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'signed' } }]
  const signed = await pushArtifact(target, await packObjects(objects), 'v1', ctx)
  return { target, signed, reference: `${repository}@${signed.digest}` }
}

function run(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, COSIGN_PASSWORD: password, HOME: folder, DOCKER_CONFIG: folder }
  return exec(cosign, args, { cwd: folder, env })
}
