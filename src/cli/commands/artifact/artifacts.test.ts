import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Registry, startRegistry } from '../../../sandbox/index.ts'
import { runCli } from '../../testdata/run-cli.ts'

let cwd: string
let registry: Registry
let guarded: Registry

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'lading-artifacts-'))
  registry = await startRegistry()
  guarded = await startRegistry({ auth: { basic: { user: 'me', password: 'hush-hush' } } })
  writeFileSync(join(cwd, 'one.yaml'), objects('1'))
  writeFileSync(join(cwd, 'two.yaml'), objects('2'))
})
afterAll(async () => {
  await registry.stop()
  await guarded.stop()
  rmSync(cwd, { recursive: true })
})

function lading(command: string, stdin?: string) {
  const env = { HOME: cwd, COSIGN_PASSWORD: 'for this test' }
  return runCli({ cwd, env, ...(stdin === undefined ? {} : { stdin }) }, ...command.split(' '))
}

const at = (name: string) => `oci://${registry.host}/${name}`

it('what is pushed is pulled, byte for byte the same objects under the same digest', async () => {
  const first = await lading(`push ${at('shop')}:v1 one.yaml --plain-http -o json`)
  expect(first.code).toBe(0)
  const { digest } = JSON.parse(first.stdout) as { digest: string }
  const again = await lading(`push ${at('other')}:v1 one.yaml --plain-http -o json`)
  expect(JSON.parse(again.stdout)).toMatchObject({ digest, tag: 'v1' })
  const pulled = await lading(`pull ${at('shop')}@${digest} --plain-http`)
  expect(pulled.stdout).toContain('value: "1"')
  const listed = await lading(`artifacts ${at('shop')} --plain-http -o json`)
  expect(JSON.parse(listed.stdout)).toMatchObject([{ tag: 'v1', digest }])
})

it('artifacts are tagged, inspected and compared; a difference ends with 2 and shows no Secret', async () => {
  await lading(`push ${at('cmp')}:v1 one.yaml --plain-http`)
  await lading(`push ${at('cmp')}:v2 two.yaml --plain-http`)
  expect((await lading(`tag ${at('cmp')}:v1 stable --plain-http`)).code).toBe(0)
  const same = await lading(`diff-artifact ${at('cmp')}:v1 ${at('cmp')}:stable --plain-http`)
  expect(same).toMatchObject({ code: 0, stdout: '' })
  const different = await lading(`diff-artifact ${at('cmp')}:v1 ${at('cmp')}:v2 --plain-http`)
  expect(different.code).toBe(2)
  expect(different.stdout).toContain('~ .data.value: "1" → "2"')
  expect(different.stdout).not.toMatch(/secret-[12]/)
  const inspected = JSON.parse((await lading(`inspect ${at('cmp')}:v2 --plain-http -o json`)).stdout) as object
  expect(inspected).toMatchObject({ format: 'lading', images: ['nginx:2'], content: 'objects' })
})

it('an unsigned artifact is refused by --verify, a signed one is taken', async () => {
  await lading('generate-key signer')
  expect(statSync(join(cwd, 'signer.key')).mode & 0o777).toBe(0o600)
  await lading(`push ${at('signed')}:v1 one.yaml --plain-http`)
  const refused = await lading(`pull ${at('signed')}:v1 --plain-http --verify signer.pub`)
  expect(refused.code).not.toBe(0)
  expect(refused.stdout).toBe('')
  expect((await lading(`sign ${at('signed')}:v1 --key signer.key --plain-http`)).code).toBe(0)
  expect((await lading(`pull ${at('signed')}:v1 --plain-http --verify signer.pub`)).stdout).toContain('value: "1"')
  expect((await lading(`verify ${at('signed')}:v1 --plain-http --key signer.pub`)).code).toBe(0)
})

it('an encrypted artifact is pulled with its identity alone', async () => {
  const identity = await generateIdentity()
  writeFileSync(join(cwd, 'age.key'), `# a key\n${identity}\n`)
  await lading(`push ${at('sealed')}:v1 one.yaml --plain-http --recipient ${await identityToRecipient(identity)}`)
  const refused = await lading(`pull ${at('sealed')}:v1 --plain-http`)
  expect(refused.code).not.toBe(0)
  expect((await lading(`pull ${at('sealed')}:v1 --plain-http --identity age.key`)).stdout).toContain('value: "1"')
  const leaked = await lading(`push ${at('sealed')}:v1 one.yaml --plain-http --recipient ${identity}`)
  expect(leaked.code).toBe(2)
  expect(leaked.stderr).not.toContain(identity)
})

it('an artifact is mirrored into a layout and on to another repository, and a second time nothing is sent', async () => {
  await lading(`push ${at('origin')}:v1 one.yaml --plain-http`)
  const out = await lading(`mirror ${at('origin')}:v1 oci-layout:copy --plain-http -o json`)
  const back = await lading(`mirror oci-layout:copy:v1 ${at('landed')}:v9 --plain-http -o json`)
  const digest = (text: string) => (JSON.parse(text) as { digest: string }).digest
  expect(digest(back.stdout)).toBe(digest(out.stdout))
  const again = await lading(`mirror oci-layout:copy:v1 ${at('landed')}:v9 --plain-http -o json`)
  expect(JSON.parse(again.stdout)).toMatchObject({ copied: 0, bytes: 0 })
})

it('files are written into an empty folder only', async () => {
  await lading(`push ${at('files')}:v1 one.yaml --plain-http`)
  expect((await lading(`pull ${at('files')}:v1 --plain-http --output-dir out`)).code).toBe(0)
  expect(readFileSync(join(cwd, 'out/all.yaml'), 'utf8')).toContain('value: "1"')
  const again = await lading(`pull ${at('files')}:v1 --plain-http --output-dir out`)
  expect(again.stderr).toContain('exists already')
})

it('files are not written through a link', async () => {
  await lading(`push ${at('links')}:v1 one.yaml --plain-http`)
  mkdirSync(join(cwd, 'linked'))
  symlinkSync(join(cwd, 'elsewhere.yaml'), join(cwd, 'linked/all.yaml'))
  const { code, stderr } = await lading(`pull ${at('links')}:v1 --plain-http --output-dir linked`)
  expect(code).toBe(3)
  expect(stderr).toContain('exists already')
  expect(existsSync(join(cwd, 'elsewhere.yaml'))).toBe(false)
})

it('a key pair is made whole or not at all', async () => {
  writeFileSync(join(cwd, 'half.pub'), 'mine')
  const { code, stderr } = await lading('generate-key half')
  expect(code).toBe(3)
  expect(stderr).toContain('half.key or half.pub exists')
  expect(existsSync(join(cwd, 'half.key'))).toBe(false)
  expect(readFileSync(join(cwd, 'half.pub'), 'utf8')).toBe('mine')
})

it('login is needed where a registry asks for it, and is forgotten at logout', async () => {
  const to = `oci://${guarded.host}/shop:v1`
  expect((await lading(`push ${to} one.yaml --plain-http`)).code).not.toBe(0)
  const wrong = await lading(`login ${guarded.host} -u me --password-stdin --plain-http`, 'wrong\n')
  expect(wrong.code).not.toBe(0)
  const good = await lading(`login ${guarded.host} -u me --password-stdin --plain-http`, 'hush-hush\n')
  expect(good.code).toBe(0)
  expect(good.stdout + good.stderr).not.toContain('hush-hush')
  expect((await lading(`push ${to} one.yaml --plain-http`)).code).toBe(0)
  expect((await lading(`logout ${guarded.host}`)).code).toBe(0)
  expect((await lading(`pull ${to} --plain-http`)).code).not.toBe(0)
})

function objects(value: string): string {
  return `apiVersion: v1
kind: ConfigMap
metadata: {name: c}
data: {value: "${value}"}
---
apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {token: secret-${value}}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: main, image: "nginx:${value}"}]}
`
}
