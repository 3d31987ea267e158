import { rm, writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { type Context, context, LadingError, writeError } from '../../../core/index.ts'
import type { SigningKey, Target } from '../../../oci/index.ts'
import { keyringOf } from '../../options/chart-options.ts'
import { pathFrom } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { lineLog } from '../../print/line-log.ts'
import { withTarget } from '../../open-target.ts'
import { collect } from '../../options/options.ts'
import { printData } from '../../print/print-data.ts'
import { readText } from '../../files/read-text.ts'
import { writePrivateFile } from '../../files/write-private-file.ts'
import { addRegistryOptions, type RegistryFlags } from '../../options/registry-options.ts'

/** `lading sign`: a signature that cosign and Flux verify. */
export function signCommand(io: Io): Command {
  const command = new Command('sign')
    .description(
      'sign an artifact, by its digest, or the file of a plan or an approval, with a private key; its password is $COSIGN_PASSWORD',
    )
    .argument('<reference>', 'the artifact, or the .json or .yaml file of a plan or an approval')
    .requiredOption('--key <file>', 'private key: of cosign, or PEM')
  return addRegistryOptions(command)
    .addHelpText(
      'after',
      '\nThe signature of a plan or an approval is written into its file.\n\n' +
        'Example:\n  lading sign oci://registry.example/shop:v1 --key cosign.key\n  lading sign plan.json --key cosign.key',
    )
    .action(async (text: string, _options, command: Command) => {
      const options = command.optsWithGlobals<RegistryFlags & { key: string }>()
      if (/\.(?:json|ya?ml)$/.test(text) && !text.includes(':')) {
        const row = await signPlanFile(io, text, await readSigningKey(io, options.key))
        return printData(io, options.output, row, { rows: [row], columns: ['file', 'plan', 'signed'] })
      }
      const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
      await withTarget(io, text, options, async ({ target, name, pinned }) => {
        const { digest } = await target.resolve(name, ctx)
        await signTarget(io, target, digest, options.key, ctx)
        const row = { artifact: pinned(digest), digest, signed: true }
        await printData(io, options.output, row, { rows: [row], columns: ['artifact', 'signed'] })
      })
    })
}

interface VerifyFlags extends RegistryFlags {
  readonly key?: readonly string[]
  readonly keyring?: string
}

/** `lading verify`: whether one of some keys signed an artifact. */
export function verifyCommand(io: Io): Command {
  const command = new Command('verify')
    .description(
      'verify that one of the given keys signed an artifact or a chart’s archive; an unsigned one is refused',
    )
    .argument('<reference>', 'the artifact, or the .tgz of a chart with its .prov beside it')
    .option('--key <file>', 'public key, in PEM; may be repeated', collect)
    .option('--keyring <file>', 'OpenPGP keyring, for the .tgz of a chart')
  return addRegistryOptions(command)
    .addHelpText(
      'after',
      '\nExample:\n  lading verify oci://registry.example/shop:v1 --key cosign.pub\n  lading verify shop-1.0.0.tgz --keyring keys.gpg',
    )
    .action(async (text: string, _options, command: Command) => {
      const options = command.optsWithGlobals<VerifyFlags>()
      if (options.keyring !== undefined) return verifyArchive(io, text, options)
      if (options.key === undefined) throw new LadingError('usage.invalid', 'give --key, or --keyring for a chart')
      const files = options.key
      const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
      const { verifySignature } = await import('../../../oci/index.ts')
      const keys = await Promise.all(files.map((file) => readText(io, pathFrom(io, file))))
      await withTarget(io, text, options, async ({ target, name, pinned }) => {
        const found = await target.resolve(name, ctx)
        const signatures = await verifySignature(target, found, keys, {}, ctx)
        const rows = signatures.map(({ form, keyIndex, fingerprint }) => ({
          form,
          key: files[keyIndex],
          fingerprint,
        }))
        const data = { artifact: pinned(found.digest), digest: found.digest, signatures: rows }
        await printData(io, options.output, data, { rows, columns: ['form', 'key', 'fingerprint'] })
      })
    })
}

async function verifyArchive(io: Io, file: string, options: VerifyFlags): Promise<void> {
  if (options.key !== undefined) throw new LadingError('usage.invalid', 'give either --key or --keyring')
  const { verifyChart } = await import('../../../release/source/chart/index.ts')
  const keyring = await keyringOf(io, options.keyring)
  const row = { file, ...(await verifyChart(pathFrom(io, file), keyring, context({ signal: io.signal }))) }
  await printData(io, options.output, row, { rows: [row], columns: ['file', 'signedBy', 'digest'] })
}

/** `lading generate-key`: a key pair for signing. */
export function generateKeyCommand(io: Io): Command {
  return new Command('generate-key')
    .description('make a key pair for signing, as cosign does; the password of the private key is $COSIGN_PASSWORD')
    .argument('[prefix]', 'name of the files PREFIX.key and PREFIX.pub', 'cosign')
    .addHelpText('after', '\nExample:\n  lading generate-key release')
    .action(async (prefix: string, _options, command: Command) => {
      const options = command.optsWithGlobals<RegistryFlags>()
      const { generateKeyPair } = await import('../../../oci/index.ts')
      const { privateKey, publicKey } = await generateKeyPair(io.env['COSIGN_PASSWORD'] ?? '')
      const row = { privateKey: pathFrom(io, `${prefix}.key`), publicKey: pathFrom(io, `${prefix}.pub`) }
      try {
        await writeNew(row.privateKey, privateKey, 0o600)
        await writeNew(row.publicKey, publicKey, 0o644).catch(async (error: unknown) => {
          // Half of a pair is of no use, and would be in the way of the next one.
          await rm(row.privateKey)
          throw error
        })
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code !== 'EEXIST') throw writeError(`${prefix}.key or ${prefix}.pub`, error)
        throw new LadingError('file.unreadable', `${prefix}.key or ${prefix}.pub exists`, {}, { cause: error })
      }
      await printData(io, options.output, row, { rows: [row], columns: ['privateKey', 'publicKey'] })
    })
}

/** Writes a file that is not there yet; one that cannot be written whole is not left. */
async function writeNew(path: string, text: string, mode: number): Promise<void> {
  await writeFile(path, text, { flag: 'wx', mode }).catch(async (error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(path, { force: true })
    throw error
  })
}

/** Writes a signature into the file of a plan, or of the approval of one. */
async function signPlanFile(io: Io, file: string, key: SigningKey) {
  const { signPlanText } = await import('../../../release/index.ts')
  const path = pathFrom(io, file)
  const { plan, text } = signPlanText(await readText(io, path), file, key)
  await writePrivateFile(path, text)
  return { file, plan, signed: true }
}

/** Signs what is there under a digest. */
export async function signTarget(io: Io, target: Target, digest: string, keyFile: string, ctx: Context): Promise<void> {
  const { signArtifact } = await import('../../../oci/index.ts')
  const key = await readSigningKey(io, keyFile)
  await signArtifact(target, await target.resolve(digest, ctx), key, {}, ctx)
}

/** The private key of a file; its password is $COSIGN_PASSWORD. */
export async function readSigningKey(io: Io, file: string): Promise<SigningKey> {
  const { loadSigningKey } = await import('../../../oci/index.ts')
  return loadSigningKey(await readText(io, pathFrom(io, file)), io.env['COSIGN_PASSWORD'] ?? '')
}
