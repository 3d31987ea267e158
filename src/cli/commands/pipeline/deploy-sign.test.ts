import { generateIdentity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Registry, startRegistry } from '../../../sandbox/index.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'
import { runCli } from '../../testdata/run-cli.ts'

let cli: CliSandbox
let registry: Registry
let recipient = ''

beforeAll(async () => {
  cli = await openCliSandbox()
  registry = await startRegistry()
  await lading('generate-key')
  const identity = await generateIdentity()
  recipient = await identityToRecipient(identity)
  cli.write('identity.txt', `${identity}\n`)
})
afterAll(async () => {
  await registry.stop()
  await cli.close()
})

function lading(line: string) {
  return runCli({ cwd: cli.cwd, env: { HOME: cli.cwd } }, ...`${line} --kubeconfig kubeconfig`.split(' '))
}

function component(name: string): void {
  const manifest = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  colour: swordfish\n`
  cli.write(
    `${name}.toml`,
    `type = "kubernetes_manifest"\nname = "${name}"\nnamespace = "default"\nmanifest = """\n${manifest}"""\n`,
  )
}

const to = (name: string) => `--registry oci://${registry.host}/${name} --plain-http`

it('deploy accepts its own build with --sign and --verify', async () => {
  component('signed')
  const { code, stdout } = await lading(
    `deploy signed.toml ${to('signed')} --sign cosign.key --verify cosign.pub --approve auto`,
  )
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'default/signed deployed (revision 1)\n' })
})

it('deploy --verify of its own unsigned build says how to sign it, and applies nothing', async () => {
  component('unsigned')
  const { code, stderr } = await lading(`deploy unsigned.toml ${to('unsigned')} --verify cosign.pub --approve auto`)
  expect(code).toBe(9)
  expect(stderr).toMatch(/is not signed, and --verify asks for a signature: sign what is built with --sign KEY, or/)
  expect((await lading('history unsigned -n default')).code).toBe(8)
  const reference = /lading sign (oci:\S+@sha256:[0-9a-f]{64}) --key KEY/.exec(stderr)?.[1]
  await lading(`sign ${reference} --key cosign.key --plain-http`)
  const rest = `--artifact ${reference} --plain-http --verify cosign.pub --approve auto`
  expect((await lading(`deploy unsigned.toml ${rest}`)).stdout).toBe('default/unsigned deployed (revision 1)\n')
})

it('build signs what it pushes, also a mirrored artifact, and the digest stays the same', async () => {
  component('built')
  const plain = JSON.parse((await lading(`build built.toml ${to('built')} -o json`)).stdout) as Record<string, unknown>
  const signed = JSON.parse(
    (await lading(`build built.toml ${to('built')} --sign cosign.key -o json`)).stdout,
  ) as object
  expect(plain).toMatchObject({ signed: false, encrypted: false })
  expect(signed).toMatchObject({ signed: true, encrypted: false, digest: plain['digest'], tag: 'latest' })
  const verify = (name: string) => lading(`verify oci://${registry.host}/${name}:latest --key cosign.pub --plain-http`)
  expect((await verify('built')).code).toBe(0)
  component('theirs')
  await lading(`build theirs.toml ${to('theirs')}`)
  cli.write(
    'mirror.toml',
    `type = "kubernetes_manifest"\nname = "mirror"\nnamespace = "default"\n[oci_artifact]\nurl = "oci://${registry.host}/theirs"\ntag = "latest"\n`,
  )
  expect((await lading(`build mirror.toml ${to('mirror')} --sign cosign.key`)).code).toBe(0)
  expect((await verify('mirror')).code).toBe(0)
  expect((await verify('theirs')).code).toBe(9)
})

it('build encrypts what it pushes, and only the recipient can deploy it', async () => {
  component('secret')
  const built = await lading(`build secret.toml ${to('secret')} --recipient ${recipient} -o json`)
  expect(JSON.parse(built.stdout)).toMatchObject({ encrypted: true, objects: ['_secret__ConfigMap'] })
  const artifact = `--artifact oci://${registry.host}/secret:latest --plain-http --approve auto`
  const refused = await lading(`deploy secret.toml ${artifact}`)
  expect(refused.stderr).toContain('is encrypted, and there is no identity')
  const deployed = await lading(`deploy secret.toml ${artifact} --identity identity.txt`)
  expect(deployed.stdout).toBe('default/secret deployed (revision 1)\n')
})

it('a runner signs what it builds; the key itself never goes with a job', async () => {
  component('left')
  const refused = await lading(`build left.toml ${to('left')} --detach --sign cosign.key`)
  expect(refused.stderr).toContain('--sign is secret and does not go with a job')
  const id = (await lading(`build left.toml ${to('left')} --detach --recipient ${recipient}`)).stdout.trim()
  expect((await lading('runner start --once --plain-http --sign cosign.key')).code).toBe(0)
  const shown = await lading(`jobs get ${id} -o json`)
  expect(JSON.parse(shown.stdout)).toMatchObject({ state: 'finished', outputs: { signed: true, encrypted: true } })
})
