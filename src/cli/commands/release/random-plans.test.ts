import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeFiles } from '../../../../testing/write-files.ts'
import { context, type KubeObject } from '../../../core/index.ts'
import { connect, getObject } from '../../../kube/index.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'

/** Every function of a chart that gives something else each time. */
const expressions: Readonly<Record<string, string>> = {
  alphaNum: 'randAlphaNum 24',
  alpha: 'randAlpha 24',
  numeric: 'randNumeric 24',
  ascii: 'randAscii 24 | b64enc',
  bytes: 'randBytes 24',
  int: 'randInt 0 1000000000',
  uuid: 'uuidv4',
  shuffled: 'shuffle "abcdefghijklmnopqrstuvwxyz"',
  now: 'now | date "2006-01-02T15:04:05.000Z07:00"',
  epoch: 'now | unixEpoch',
  bcrypt: 'bcrypt "swordfish"',
  htpasswd: 'htpasswd "me" "swordfish"',
  aes: 'encryptAES "key" "swordfish"',
  ed25519: 'genPrivateKey "ed25519"',
  ecdsa: 'genPrivateKey "ecdsa"',
  dsa: 'genPrivateKey "dsa"',
  ca: '(genCA "ca" 365).Cert',
  selfSigned: '(genSelfSignedCert "me" nil (list "a.example") 365).Key',
  signed: '(genSignedCert "me" nil (list "a.example") 365 (genCA "ca" 365)).Cert',
  ecdsaSigned: '(genCAWithKey "ca" 365 (genPrivateKey "ecdsa")).Cert',
  ed25519Signed: '(genCAWithKey "ca" 365 (genPrivateKey "ed25519")).Cert',
}

const chart = (lines: Readonly<Record<string, string>>) => ({
  'Chart.yaml': 'apiVersion: v2\nname: random\nversion: 1.0.0\n',
  'values.yaml': '',
  'templates/secret.yaml': `apiVersion: v1\nkind: Secret\nmetadata: {name: random}\nstringData:\n${Object.entries(lines)
    .map(([name, expression]) => `  ${name}: {{ ${expression} | quote }}\n`)
    .join('')}`,
})

const pack = {
  'Pack.yaml': 'apiVersion: sherpack/v1\nmetadata: {name: random, version: 1.0.0}\n',
  'templates/secret.yaml':
    'apiVersion: v1\nkind: Secret\nmetadata: {name: random}\nstringData:\n  uuid: {{ uuidv4() }}\n  now: "{{ now() }}"\n',
}

let cli: CliSandbox
let spaces = 0

beforeAll(async () => {
  cli = await openCliSandbox()
  await writeFiles(join(cli.cwd, 'chart'), chart(expressions))
  await writeFiles(join(cli.cwd, 'small'), chart({ password: 'randAlphaNum 24', at: 'now | unixEpoch' }))
  await writeFiles(join(cli.cwd, 'looking'), {
    ...chart({ password: 'randAlphaNum 24' }),
    'templates/found.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: found}\ndata:\n' +
      '  colour: {{ (((lookup "v1" "ConfigMap" .Release.Namespace "other").data).colour | default (randAlpha 5)) }}\n',
  })
  await writeFiles(join(cli.cwd, 'pack'), pack)
  await writeFiles(join(cli.cwd, 'kustomized'), {
    'kustomization.yaml': 'helmCharts: [{name: small, releaseName: shop}]\n',
    ...Object.fromEntries(
      Object.entries(chart({ password: 'randAlphaNum 24' })).map(([name, text]) => [`charts/small/${name}`, text]),
    ),
  })
})
afterAll(() => cli.close())

it('a saved plan of a chart with random values is applied as it was planned, whatever the chart draws', async () => {
  const namespace = newSpace()
  await cli.lading('plan install shop chart --create-namespace --out plan.json')
  const { stdout, code, stderr } = await cli.lading('apply plan.json -o json')
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'deployed', revision: 1 })
  const first = await values(namespace)
  expect(Object.keys(first).sort()).toEqual(Object.keys(expressions).sort())

  await cli.lading('upgrade shop chart')
  const second = await values(namespace)
  for (const name of Object.keys(expressions)) expect([name, second[name]]).not.toEqual([name, first[name]])
})

it.each([
  ['a pack', 'pack'],
  ['a kustomization with a chart', 'kustomized --enable-helm'],
])('a saved plan of %s with random values is applied as well', async (_what, source) => {
  newSpace()
  expect(await cli.lading(`plan install shop ${source} --create-namespace --out plan.json`)).toMatchObject({
    stderr: '',
  })
  expect(await cli.lading('apply plan.json')).toMatchObject({ code: 0 })
})

it('only the file of a plan holds its seed, and only its owner can read it', async () => {
  newSpace()
  const { stdout, stderr } = await cli.lading('plan install shop small --create-namespace --out plan.json -o json')
  const file = join(cli.cwd, 'plan.json')
  const { inputs } = JSON.parse(readFileSync(file, 'utf8')) as Saved
  expect(inputs.content.seed).toMatch(/^[0-9a-f]{64}$/)
  expect(inputs.content.renderedAt).toMatch(/^\d{4}-.*Z$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(stdout + stderr).not.toContain(inputs.content.seed)
  expect((JSON.parse(stdout) as Saved).inputs.content.seed).toBe('***')

  const printed = await cli.lading('apply -', { stdin: stdout })
  expect(printed.code).toBe(3)
  expect(printed.stderr).toMatch(/its (?:seed|key) is masked, since it was printed/)
  for (const shown of [
    await cli.lading('plan install shop small --create-namespace --out plan.json -o yaml'),
    await cli.lading('plan install shop small --create-namespace --out plan.json'),
    await cli.lading('install shop small --create-namespace --dry-run -o json'),
  ]) {
    const { seed } = (JSON.parse(readFileSync(file, 'utf8')) as Saved).inputs.content
    expect(shown.stdout + shown.stderr).not.toContain(seed)
    expect(shown.stdout).not.toMatch(/(?<!sha256:)\b[0-9a-f]{64}/)
  }
})

it('a plan of a chart that draws nothing and has no Secret has no seed, and can be applied as it was printed', async () => {
  newSpace()
  const files = Object.entries(chart({ colour: '"blue"' })).map(([name, text]) => [
    name,
    text.replace('kind: Secret', 'kind: ConfigMap').replace('stringData:', 'data:'),
  ])
  await writeFiles(join(cli.cwd, 'plain'), Object.fromEntries(files) as Record<string, string>)
  const { stdout } = await cli.lading('plan install shop plain --create-namespace -o json')
  expect((JSON.parse(stdout) as Saved).inputs.content).not.toHaveProperty('seed')
  expect((await cli.lading('apply -', { stdin: stdout })).code).toBe(0)
})

it('a plan is stale once a lookup of its chart finds something else', async () => {
  const namespace = newSpace()
  await cli.lading('plan install shop looking --create-namespace --out plan.json')
  cli.write('other.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\ndata: {colour: red}\n')
  await cli.lading('install other other.yaml --create-namespace')
  const { code, stderr } = await cli.lading('apply plan.json')
  expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining('stale') as unknown })
  expect(await secretIn(namespace)).toBeUndefined()
})

interface Saved {
  readonly inputs: { readonly content: { readonly seed: string; readonly renderedAt: string } }
}

function newSpace(): string {
  spaces += 1
  cli.namespace = `random-${spaces}`
  return cli.namespace
}

async function values(namespace: string): Promise<Readonly<Record<string, string>>> {
  return ((await secretIn(namespace))?.['data'] ?? {}) as Record<string, string>
}

async function secretIn(namespace: string): Promise<KubeObject | undefined> {
  const ctx = context()
  const cluster = await connect({ kubeconfig: cli.sandbox.kubeconfig }, ctx)
  try {
    return await getObject(cluster, { group: '', version: 'v1', kind: 'Secret', namespace, name: 'random' }, ctx)
  } finally {
    await cluster.close()
  }
}
