import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../testbed/npm-clients.ts'
import { writeFiles } from '../../../testing/write-files.ts'
import { context, parseJson } from '../../core/index.ts'
import { connect, getObject } from '../../kube/index.ts'
import { type Registry, startRegistry } from '../../sandbox/index.ts'
import { type CliSandbox, openCliSandbox } from '../testdata/cli-sandbox.ts'
import { execHelm } from '../testdata/exec-helm.ts'
import { type CliResult, runCli } from '../testdata/run-cli.ts'

const big = '9007199254740993'
const largest = '9223372036854775807'

let cli: CliSandbox
let registry: Registry

beforeAll(async () => {
  cli = await openCliSandbox()
  registry = await startRegistry()
  await writeFiles(cli.cwd, {
    'crd.yaml': definition,
    'chart/Chart.yaml': 'apiVersion: v2\nname: exact\nversion: 1.0.0\n',
    'chart/values.yaml': `fromDefaults: ${big}\nlargest: ${largest}\n`,
    'chart/templates/ledger.yaml': template,
    'pack/Pack.yaml': 'apiVersion: sherpack/v1\nkind: application\nmetadata: {name: exact, version: 1.0.0}\n',
    'pack/values.yaml': `number: ${big}\n`,
    'pack/templates/config.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: packed}\ndata: {number: "{{ values.number }}"}\n',
    'values.yaml': `fromFile: ${big}\nlist: [${largest}]\n`,
    'ledger.yaml': ledger('plain', big),
  })
  await ran('install definitions crd.yaml')
})
afterAll(async () => {
  await registry.stop()
  await cli.close()
})

describe.each(['secrets', 'configmap', 'helm', 'file'])(
  'a release with integers past 2^53 in the store %s',
  (driver) => {
    const name = `exact-${driver}`
    const storage = driver === 'file' ? '--storage file --storage-path records' : `--storage ${driver}`
    const lading = (command: string): Promise<CliResult> => cli.lading(`${command} ${storage}`)

    it('is installed, upgraded, planned, applied, compared and rolled back, with every digit', async () => {
      const given = `-f values.yaml --set-json fromJson=${largest}`
      await ran(`install ${name} chart ${given} --set id=${big} ${storage}`)
      expect(await balance(name)).toBe(BigInt(big))
      expect(parseJson((await lading(`get values ${name} -o json`)).stdout)).toEqual({
        fromFile: BigInt(big),
        list: [BigInt(largest)],
        fromJson: BigInt(largest),
        id: BigInt(big),
      })
      await ran(`upgrade ${name} chart ${given} --set id=9007199254740995 ${storage}`)
      expect(await balance(name)).toBe(9007199254740995n)
      const difference = await lading(`diff ${name} chart ${given} --set id=${largest}`)
      expect(difference.stdout).toContain('- .spec.balance: 9007199254740995\n')
      expect(difference.stdout).toContain(`+ .spec.balance: ${largest}\n`)
      await ran(`plan upgrade ${name} chart ${given} --set id=${largest} --out plan-${driver}.json ${storage}`)
      await ran(`apply plan-${driver}.json ${storage}`)
      expect(await balance(name)).toBe(BigInt(largest))
      expect((await lading(`drift ${name}`)).code).toBe(0)
      await ran(`upgrade ${name} chart --reuse-values --set other=${big} ${storage}`)
      expect((await lading(`get values ${name} -o yaml`)).stdout).toContain(`other: ${big}\n`)
      await ran(`rollback ${name} 1 ${storage}`)
      expect(await balance(name)).toBe(BigInt(big))
      expect((await lading(`drift ${name} -o json`)).code).toBe(0)
      for (const command of [`status ${name} -o json`, `history ${name} -o json`, `get manifest ${name}`])
        expect((await lading(command)).code).toBe(0)
      await ran(`uninstall ${name} ${storage}`)
    })
  },
)

it('drift of an integer past 2^53 by one is seen', async () => {
  await ran('install drifting ledger.yaml')
  cli.write('ledger.yaml', ledger('plain', '9007199254740992'))
  await ran('upgrade drifting ledger.yaml')
  cli.write('ledger.yaml', ledger('plain', big))
  const { code, stdout } = await cli.lading('diff drifting ledger.yaml')
  expect([code, stdout]).toEqual([2, expect.stringContaining(`+ .spec.balance: ${big}`)])
})

it('deploy takes integers past 2^53 in a manifest and in an input', async () => {
  const head = 'type: kubernetes_manifest\nname: deployed\nnamespace: default\n'
  const inputs = 'inputs:\n  balance: {type: number, default: 9007199254740997}\n'
  const manifest = ledger('deployed', '{{ .inputs.balance }}').replaceAll(/^/gm, '  ')
  cli.write('deployed.yaml', `${head}${inputs}manifest: |\n${manifest}`)
  const to = `--registry oci://${registry.host}/exact --plain-http --approve auto`
  for (const value of [undefined, big, largest]) {
    const world = { cwd: cli.cwd, env: { HOME: cli.cwd } }
    const command = `deploy deployed.yaml ${to}${value === undefined ? '' : ` --input balance=${value}`} -n default --kubeconfig kubeconfig`
    const result = await runCli(world, ...command.split(' '))
    expect([result.code, result.stderr]).toEqual([0, expect.any(String)])
    expect(await balance('deployed')).toBe(BigInt(value ?? '9007199254740997'))
    const jobs = await runCli(world, 'jobs', 'list', '-o', 'json')
    expect(jobs.code).toBe(0)
  }
})

it('a pack prints integers past 2^53, and one that a filter cannot take is named in one sentence', async () => {
  const { stdout } = await cli.lading('template packed pack')
  expect(stdout).toContain(`number: "${big}"`)
  await writeFiles(join(cli.cwd, 'pack'), { 'templates/more.yaml': '{{ values.number | tojson }}\n' })
  const refused = await cli.lading('template packed pack')
  expect(refused.stderr).toContain(`${big} is too large for a filter or a function of a pack`)
})

it.skipIf(noNpmClients !== undefined)('templates see integers past 2^53 as in helm, by the way they came', async () => {
  const { helm } = (await npmClients())!
  const argv = ['template', 'x', 'chart', '-f', 'values.yaml', '--set', `id=${big}`, '--set-json', `j=[${largest}]`]
  const theirs = await execHelm(helm, cli.cwd, ...argv)
  const ours = await runCli({ cwd: cli.cwd }, ...argv)
  expect([ours.code, ours.stdout]).toEqual([theirs.code, theirs.stdout])
})

async function ran(command: string): Promise<void> {
  const { code, stderr } = await cli.lading(command)
  expect([command, code, code === 0 ? '' : stderr]).toEqual([command, 0, ''])
}

async function balance(name: string): Promise<unknown> {
  const { kubeconfig } = cli.sandbox
  const cluster = await connect({ kubeconfig }, context())
  try {
    const ref = { group: 'exact.example.org', version: 'v1', kind: 'Ledger', namespace: 'default', name }
    const spec = (await getObject(cluster, ref, context()))?.['spec'] as Record<string, unknown> | undefined
    return spec?.['balance']
  } finally {
    await cluster.close()
  }
}

const template = `apiVersion: exact.example.org/v1
kind: Ledger
metadata:
  name: {{ .Release.Name }}
spec:
  balance: {{ .Values.id }}
  entries:
  - id: {{ .Values.id }}
    text: {{ toJson .Values | quote }}
    type: {{ typeOf .Values.fromDefaults }} {{ typeOf .Values.id }}
`

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ledgers.exact.example.org}
spec:
  group: exact.example.org
  scope: Namespaced
  names: {kind: Ledger, plural: ledgers, singular: ledger, listKind: LedgerList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              balance: {type: integer, format: int64}
              entries:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [id]
                items:
                  type: object
                  required: [id]
                  properties: {id: {type: integer, format: int64}, text: {type: string}, type: {type: string}}
`

function ledger(name: string, value: string): string {
  return `apiVersion: exact.example.org/v1\nkind: Ledger\nmetadata: {name: ${name}}\nspec:\n  balance: ${value}\n`
}
