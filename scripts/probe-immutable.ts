// Writes src/schema/data/immutable.json: `node scripts/probe-immutable.ts KUBECONFIG`. A field is immutable when an API server
// refuses a change of it that it would accept in a new object. Works in a namespace of its own and cleans up after itself.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { builtinSchema } from '../src/schema/index.ts'
import { type ApiServer, openApiServer } from './api-server.ts'
import { type ImmutableCandidate, immutableCandidates } from './immutable-candidates.ts'

const namespace = `lading-probe-${process.pid}`
const output = fileURLToPath(new URL('../src/schema/data/immutable.json', import.meta.url))

const kubeconfig = process.argv[2]
if (kubeconfig === undefined) throw new Error('usage: node scripts/probe-immutable.ts KUBECONFIG')
const server = openApiServer(kubeconfig)
try {
  await prepareNamespace(server)
  const found: Record<string, unknown> = {}
  for (const candidate of immutableCandidates) {
    const refused = await probe(server, candidate)
    if (refused.length === 0) continue
    const key = groupKind(candidate.object)
    found[candidate.when === undefined ? key : `${key} when ${candidate.when}`] = refused
  }
  const lines = Object.keys(found)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${JSON.stringify(found[key])}`)
  writeFileSync(output, `{\n${lines.join(',\n')}\n}\n`)
  console.log(lines.join('\n'))
} finally {
  await server.send('DELETE', `/api/v1/namespaces/${namespace}`)
  await server.close()
}

/** Pods are refused until their service account is there; the API server's own controller may be slower than the probe. */
async function prepareNamespace(server: ApiServer): Promise<void> {
  const metadata = { name: namespace }
  await server.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata })
  for (const name of ['default', 'other']) {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } }
    await server.send('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, account)
  }
}

async function probe(server: ApiServer, { object, changes }: ImmutableCandidate): Promise<string[]> {
  const { collection, path } = pathsOf(object)
  const created = await server.send('POST', collection, object)
  if (created.status !== 201) throw new Error(`${path} cannot be created: ${JSON.stringify(created.body)}`)
  try {
    const refused: string[] = []
    for (const [field, value] of Object.entries(changes)) {
      // A new object with the change: its name is taken, which the API server finds out only after validation.
      const fresh = await server.send('POST', `${collection}?dryRun=All`, withField(object, field, value))
      if (fresh.status !== 409)
        throw new Error(`${path} with another ${field} is not valid: ${JSON.stringify(fresh.body)}`)
      if ((await update(server, path, field, value)) === 422) refused.push(field)
    }
    return refused.sort()
  } finally {
    await server.send('DELETE', `${path}?gracePeriodSeconds=0`)
  }
}

/** The status of a dry-run update of one field of the live object; controllers may write in between, so again on conflict. */
async function update(server: ApiServer, path: string, field: string, value: unknown): Promise<number> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const live = (await server.get(path)) as Record<string, unknown>
    const { status, body } = await server.send('PUT', `${path}?dryRun=All`, withField(live, field, value))
    if (status === 200 || status === 422) return status
    if (status !== 409) throw new Error(`${path} answers an update of ${field} with ${JSON.stringify(body)}`)
  }
  throw new Error(`${path} never holds still`)
}

function pathsOf(object: Record<string, unknown>): { collection: string; path: string } {
  const gvk = gvkOf(object)
  const resource = builtinSchema().resourceOf(gvk)
  if (resource === undefined) throw new Error(`${gvk.kind} is not a built-in kind`)
  const root = gvk.group === '' ? `/api/${gvk.version}` : `/apis/${gvk.group}/${gvk.version}`
  const scoped = resource.scope === 'Namespaced' ? `${root}/namespaces/${namespace}` : root
  const collection = `${scoped}/${resource.resource}`
  return { collection, path: `${collection}/${(object['metadata'] as { name: string }).name}` }
}

function gvkOf(object: Record<string, unknown>): { group: string; version: string; kind: string } {
  const [version = '', group = ''] = (object['apiVersion'] as string).split('/').toReversed()
  return { group, version, kind: object['kind'] as string }
}

function groupKind(object: Record<string, unknown>): string {
  const { group, kind } = gvkOf(object)
  return `${group}/${kind}`
}

function withField(object: Record<string, unknown>, field: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(object)
  const steps = field.slice(1).split('.')
  const last = steps.pop() ?? ''
  let target = copy
  for (const step of steps) target = (target[step] ??= {}) as Record<string, unknown>
  target[last] = value
  return copy
}
