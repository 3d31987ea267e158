// Writes src/schema/data/protobuf.json from the Kubernetes modules that the testbed is built from: `node scripts/generate-protobuf.ts`.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sourceFolder } from '../testbed/go-module.ts'
import { type GoField, type ProtoField, readGoStructs, readProto } from './proto-messages.ts'

const dataDir = fileURLToPath(new URL('../src/schema/data/', import.meta.url))
const modules = ['k8s.io/api', 'k8s.io/apimachinery', 'k8s.io/apiextensions-apiserver', 'k8s.io/kube-aggregator']
const meta = 'apimachinery.pkg.apis.meta.v1'

/** Messages whose JSON is not that of a struct; the decoder knows them by name. */
const special = new Set([
  ...['Time', 'MicroTime', 'FieldsV1', 'Verbs'].map((name) => `${meta}.${name}`),
  'apimachinery.pkg.api.resource.Quantity',
  'apimachinery.pkg.util.intstr.IntOrString',
  'apimachinery.pkg.runtime.RawExtension',
  'api.authentication.v1.ExtraValue',
  'api.authorization.v1.ExtraValue',
  'api.certificates.v1.ExtraValue',
  ...['JSON', 'JSONSchemaPropsOrArray', 'JSONSchemaPropsOrBool', 'JSONSchemaPropsOrStringArray'].map(
    (name) => `apiextensions-apiserver.pkg.apis.apiextensions.v1.${name}`,
  ),
])

const messages = new Map<string, ProtoField[]>()
const structs = new Map<string, Map<number, GoField>>()
for (const module of modules) {
  const folder = await sourceFolder('gotypes', module)
  for (const file of globSync(`${folder}/**/generated.proto`)) addPackage(file)
}
const { types } = JSON.parse(readFileSync(`${dataDir}resources.json`, 'utf8')) as { types: Record<string, string> }
const packages = new Map<string, string>()
const wanted = [`${meta}.DeleteOptions`]
for (const [key, type] of Object.entries(types)) {
  const name = type.slice('io.k8s.'.length)
  const groupVersion = key.slice(0, key.lastIndexOf('/')).replace(/^\//, '')
  // Kinds of `meta.k8s.io` stand under every group version.
  if (!messages.has(name) || name.startsWith(meta)) continue
  packages.set(groupVersion, name.slice(0, name.lastIndexOf('.')))
  wanted.push(name)
}
writeFileSync(`${dataDir}protobuf.json`, format(describeAll(wanted)))

function addPackage(protoFile: string): void {
  const goStructs = readGoStructs(dirname(protoFile))
  for (const [name, fields] of readProto(protoFile)) {
    messages.set(name, fields)
    structs.set(name, goStructs.get(name.slice(name.lastIndexOf('.') + 1)) ?? new Map<number, GoField>())
  }
}

function describeAll(roots: readonly string[]): Map<string, string> {
  const described = new Map<string, string>()
  const open = [...roots]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (described.has(name) || special.has(name)) continue
    const fields = messages.get(name)
    if (fields === undefined) throw new Error(`there is no message ${name}`)
    described.set(name, fields.map((field) => describe(name ?? '', field)).join(';'))
    open.push(...fields.map(({ type }) => type).filter((type) => type.includes('.')))
  }
  return described
}

/** `NUMBER NAME TYPE`: `=` as the name of a message whose fields stand in this one, `*` before a repeated type and `%` before that of a map's values, `?` behind what JSON leaves out at its zero value. */
function describe(message: string, { number, label, type }: ProtoField): string {
  const go = structs.get(message)?.get(number)
  if (go === undefined) throw new Error(`field ${number} of ${message} is not in its Go struct`)
  const inPackage = message.slice(0, message.lastIndexOf('.') + 1)
  const shortType = type.replace(/^int(32|64)$/, 'int')
  const typeName = shortType.startsWith(inPackage) ? shortType.slice(inPackage.length) : shortType
  const prefix = { optional: '', repeated: '*', map: '%' }[label]
  const omitted = go.omits === 'zero' || (go.omits === 'scalar' && !type.includes('.'))
  const suffix = label === 'optional' && omitted ? '?' : ''
  return `${number} ${go.jsonName === '' ? '=' : go.jsonName} ${prefix}${typeName}${suffix}`
}

function format(described: Map<string, string>): string {
  const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : 1)
  const lines = (entries: Map<string, string>): string =>
    [...entries]
      .sort(byName)
      .map((entry) => entry.map((text) => JSON.stringify(text)).join(':'))
      .join(',\n')
  return `{"packages":{\n${lines(packages)}\n},\n"messages":{\n${lines(described)}\n}}\n`
}
